package asm

// What the arguments of a kind come to, for code that makes its numbers elsewhere.

// Bounds returns what a uniform u in [0,1) of a kind between bounds is brought to: u*span +
// lo with one rounding, or below where that is not less.
func (k Kind) Bounds(a Args) (span, lo, below float64) {
	b := rangeOf(k, a)
	return b.span, b.lo, b.below
}

// Rate returns what the arguments of [Rate] are, and whether they can change a number.
func (a Args) Rate() (rate, least, most float64, changes bool) {
	rate, least, most = a.rate()
	return rate, least, most, !a.unscaled()
}

// Choice returns what the arguments of [Choice] are.
func (a Args) Choice() (threshold, one uint64) { return a.choice() }

// Integers returns what the arguments of [Integers] are, and for a kind the number below
// which the low half of a product is rejected.
func (k Kind) Integers(a Args) (lo, n, least uint64) {
	var t integers
	t.set(k, a)
	return t.lo, t.n, t.least
}

// A Truncation is what the arguments of a truncated normal come to, by the names that
// SEQUENCE.md has for it. Candidates are the mean alone, or normals, or Uniform or
// Exponential ones.
type Truncation struct {
	Constant, BoxMuller, Uniform, Exponential bool

	A, B, Reserve     float64 // the last one is what there is after the last attempt
	End, Reach, Sigma float64
	Origin            float64 // o
	Alpha, Lambda     float64
}

// Truncation returns that of a truncated kind.
func (k Kind) Truncation(a Args) Truncation {
	var t truncation
	t.set(k, a)
	return Truncation{
		Constant: t.method == constant, BoxMuller: t.method == boxMuller, Uniform: t.method == uniform, Exponential: t.method == exponential,
		A: t.lo, B: t.hi, Reserve: t.reserve,
		End: t.end, Reach: t.reach, Sigma: t.std, Origin: t.origin, Alpha: t.alpha, Lambda: t.lambda,
	}
}
