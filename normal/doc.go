// Package normal makes normally distributed numbers from the streams of package
// philox: as fills of slices, at the speed of the machine's vector units, and one
// at a time.
//
// Element i of a fill is a pure function of (key, start counter, i), and its bits
// are the same with every instruction set, on every machine and for any number of
// goroutines. Two neighbours are a pair by Box and Muller (Annals of Mathematical
// Statistics 29, 1958): r cos(2 pi u2) and r sin(2 pi u2) with r = sqrt(-2 ln u1).
//
//   - float32: elements 2j and 2j+1 come from words 2j and 2j+1, x and y, with u1 =
//     (x + 1/2) * 2^-32 and u2 = (y + 1/2) * 2^-32 exactly. Every number is within
//     3.1e-7 of itself of the exact one. The largest |z| is 6.7637, sqrt(66 ln 2),
//     for the word x = 0.
//   - float64: elements 2j and 2j+1 come from block j, from the upper 53 bits of its
//     two 64-bit numbers. The largest |z| is 8.6522, sqrt(108 ln 2).
//
// Zero does not occur. SEQUENCE.md has the order of operations and the
// coefficients.
package normal
