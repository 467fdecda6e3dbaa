// Package normal makes normally distributed float32 and float64 numbers from the
// words of a [philox.Stream], by the method of Box and Muller, at the speed of the
// machine's vector units:
//
//	s := philox.New(42)
//	normal.FillFloat32(s, x)                           // standard normals
//	err := normal.FillScaledFloat64(s, y, 170.0, 7.5)  // with a mean and a standard deviation
//	err = normal.FillTruncatedFloat32(s, x, 0, 1, -2, 2) // between two bounds
//
// Element i is a pure function of the stream and i, with the same bits on every
// processor, whatever the length of the fill, the vector unit and the number of
// goroutines. The rule is in SEQUENCE.md in the repository.
//
// A [Source32] or a [Source64] is a cursor over the standard normals of a stream,
// for callers who draw one number at a time. With vector units a call is faster than
// one of math/rand/v2's Rand.NormFloat64. Without them, where AVX2 is missing or with
// the build tag purego, fills and sources take 20 to 40 nanoseconds a number (Zen 5).
package normal
