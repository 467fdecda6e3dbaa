// Package normal makes normally distributed float32 and float64 numbers from the
// words of a [philox.Stream], by the method of Box and Muller, at the speed of the
// machine's vector units:
//
//	s := philox.New(42)
//	normal.FillFloat32(s, x)                           // standard normals
//	err := normal.FillScaledFloat64(s, y, 170.0, 7.5)  // with a mean and a standard deviation
//
// Element i is a pure function of the stream and i, with the same bits on every
// processor, whatever the length of the fill, the vector unit and the number of
// goroutines. The rule is in SEQUENCE.md in the repository.
//
// A [Source32] or a [Source64] is a cursor over the standard normals of a stream,
// for callers who draw one number at a time.
package normal
