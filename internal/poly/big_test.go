package poly

import (
	"math"
	"math/big"
)

// The references are big.Float of this many bits, and their series go on until
// nothing changes: good to some 120 bits.
const prec = 128

func num(x float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(x) }

func whole(n int64) *big.Float { return new(big.Float).SetPrec(prec).SetInt64(n) }

func product(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Mul(a, b) }

func quotient(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Quo(a, b) }

func plus(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Add(a, b) }

func minus(a, b *big.Float) *big.Float { return new(big.Float).SetPrec(prec).Sub(a, b) }

// negligible reports that adding b to a changes nothing.
func negligible(a, b *big.Float) bool {
	return b.Sign() == 0 || a.MantExp(nil)-b.MantExp(nil) > prec
}

// arctangent is x - x^3/3 + x^5/5 and so on, and with sign = 1 the inverse
// hyperbolic tangent.
func arctangent(x *big.Float, sign int64) *big.Float {
	sum, power := num(0).Set(x), num(0).Set(x)
	square := product(product(x, x), whole(sign))
	for d := int64(3); ; d += 2 {
		power.Mul(power, square)
		term := quotient(power, whole(d))
		if negligible(sum, term) {
			return sum
		}
		sum.Add(sum, term)
	}
}

// alternating is first * (1 - a^2/((n+1)(n+2)) + a^4/((n+1)(n+2)(n+3)(n+4)) and so
// on): the cosine with first = 1 and n = 0, the sine with first = a and n = 1.
func alternating(first, a *big.Float, n int64) *big.Float {
	sum, term := num(0).Set(first), num(0).Set(first)
	square := product(a, a)
	for ; ; n += 2 {
		term.Mul(term, square)
		term.Quo(term, whole(-(n+1)*(n+2)))
		if negligible(sum, term) {
			return sum
		}
		sum.Add(sum, term)
	}
}

var (
	// ln 2 = 2 artanh 1/3; pi/2 = 8 arctan 1/5 - 2 arctan 1/239 (Machin).
	bigLn2    = product(num(2), arctangent(quotient(num(1), num(3)), 1))
	bigHalfPi = minus(product(num(8), arctangent(quotient(num(1), num(5)), -1)),
		product(num(2), arctangent(quotient(num(1), num(239)), -1)))
)

// bigLog returns ln u. No terms cancel, so a small result is as good as any.
func bigLog(u *big.Float) *big.Float {
	m := num(0)
	e := u.MantExp(m) // m in [1/2,1)
	if m.Cmp(num(0.7)) < 0 {
		m.Add(m, m)
		e--
	}
	ln := arctangent(quotient(minus(m, num(1)), plus(m, num(1))), 1)
	return plus(product(num(2), ln), product(whole(int64(e)), bigLn2))
}

// bigTurn returns sine and cosine of the angle pi/2 * t.
func bigTurn(t *big.Float) (sin, cos *big.Float) {
	a := product(bigHalfPi, t)
	return alternating(a, a, 1), alternating(num(1), a, 0)
}

// bigPoly evaluates a polynomial, lowest degree first.
func bigPoly(p []float64, x *big.Float) *big.Float {
	v := num(0)
	for i := len(p) - 1; i >= 0; i-- {
		v = plus(product(v, x), num(p[i]))
	}
	return v
}

// ulps returns the error of got in units in the last place of the exact number.
func ulps(got float64, exact *big.Float) float64 { return ulpsAbove(got, exact, math.MinInt) }

// ulpsAbove is ulps, with the last place of 2^least for numbers that are smaller.
func ulpsAbove(got float64, exact *big.Float, least int) float64 {
	d := num(got)
	e, _ := d.Sub(d, exact).Float64()
	return math.Ldexp(math.Abs(e), 53-max(exact.MantExp(nil), least+1))
}

// bigExp returns e^v, by the series of the rest of v/ln 2.
func bigExp(v *big.Float) *big.Float {
	k, _ := quotient(v, bigLn2).Float64()
	k = math.Round(k)
	r := minus(v, product(num(k), bigLn2))
	sum, term := num(1), num(1)
	for n := int64(1); ; n++ {
		term = quotient(product(term, r), whole(n))
		if negligible(sum, term) {
			return sum.SetMantExp(sum, int(k))
		}
		sum = plus(sum, term)
	}
}
