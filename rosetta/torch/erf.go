package torch

import (
	"math"
	"math/big"
)

// erf is the error function, rounded once, on every machine: Go's own is assembly on some.
// PyTorch has that of the platform's C library through Python's math.erf, which is rounded
// as this is wherever it was compared.
func erf(x float64) float64 {
	const (
		bits = 256 // terms are below 2^53 and the sum above 2^-1074
		far  = 6   // erf is within half a place of 1
	)
	switch {
	case x == 0 || math.IsNaN(x):
		return x
	case math.Abs(x) >= far:
		return math.Copysign(1, x)
	case math.Abs(x) < 0x1p-30: // what follows 2x/sqrt(pi) is less than half a place
		return x * (2 / math.SqrtPi)
	}
	// erf x = 2/sqrt(pi) * sum of (-1)^n x^(2n+1) / (n! (2n+1)).
	number := func(f float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(f) }
	square := number(x)
	square.Mul(square, square)
	power, sum := number(x), number(x)
	for n := 1.0; power.Sign() != 0 && power.MantExp(nil) > -bits; n++ {
		power.Mul(power, square)
		power.Quo(power, number(-n))
		sum.Add(sum, new(big.Float).SetPrec(bits).Quo(power, number(2*n+1)))
	}
	sqrtPi, _ := new(big.Float).SetPrec(bits).SetString("1.77245385090551602729816748334114518279754945612238712821380779")
	sum.Mul(sum, number(2))
	erf, _ := sum.Quo(sum, sqrtPi).Float64()
	return erf
}
