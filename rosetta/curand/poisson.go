package curand

import (
	"math"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/rosetta/mufu"
)

// Poisson is curand_poisson. Below 64 it multiplies uniform numbers until they are small
// enough, above 4000 it rounds a [State.NormalDouble], which takes or leaves a kept number,
// and in between it rejects by an approximation to the incomplete gamma function. The
// words that it takes vary. As in cuRAND, lambda of 0 and below gives 0; there, a lambda
// that is not a number would never return: here Poisson panics.
func (s *State) Poisson(lambda float64) uint32 {
	if lambda > 4000 {
		return normalPoisson(s.NormalDouble(), lambda)
	}
	return s.poisson(lambda)
}

// Poisson4 is curand_poisson4: above a lambda of 4000 from a [State.Normal4Double], else
// the same as four calls of [State.Poisson].
func (s *State) Poisson4(lambda float64) (v [4]uint32) {
	if lambda > 4000 {
		for i, z := range s.Normal4Double() {
			v[i] = normalPoisson(z, lambda)
		}
		return v
	}
	for i := range v {
		v[i] = s.poisson(lambda)
	}
	return v
}

// poisson is Poisson for at most 4000.
func (s *State) poisson(lambda float64) uint32 {
	if lambda < 64 {
		return s.products(mufu.Expf(float32(lambda)))
	}
	if lambda != lambda {
		panic(bad("lambda", lambda, "must be a number"))
	}
	return s.rejection(float32(lambda))
}

// normalPoisson is the normal approximation.
func normalPoisson(z, lambda float64) uint32 {
	return toUint32(math.FMA(math.Sqrt(lambda), z, lambda) + 0.5)
}

// products is Knuth's method, from e to the power of lambda on.
func (s *State) products(p float32) uint32 {
	for k := uint32(0); ; k++ {
		if p *= s.Uniform(); !(p > 1) {
			return k
		}
	}
}

// rejection is curand_poisson_gammainc.
func (s *State) rejection(lambda float32) uint32 {
	g := newGamma(lambda)
	logl := fastLog(lambda)
	for {
		x := float32(math.Floor(float64(g.inverse(s.Uniform()))))
		z := s.Uniform()
		v := (g.incomplete(x+1) - g.incomplete(x)) * 1.3
		t := fastExp(poly.FMA32(x, logl, -lambda) - float32(logGamma(toInt32(float64(1+x)))))
		if z*v < t && float64(v) >= 1e-20 {
			return toUint32(float64(x))
		}
	}
}

// gamma approximates the incomplete gamma function of a first argument a.
type gamma struct{ a, alpha, beta, scale float32 }

func newGamma(a float32) gamma {
	alpha := poly.FMA32(1.43248035075540910, mufu.Rsqrt(a-0.12400979329415655), 0.00025361074907033)
	beta := poly.FMA32(0.21096734870196546, mufu.Rsqrt(a-1.97381164089999420), 0.94201734077887530)
	return gamma{a, alpha, beta, mufu.Rcp(alpha)}
}

// incomplete is the regularized function.
func (g gamma) incomplete(x float32) float32 {
	t := 1 + fastExp(poly.FMA32(g.alpha, g.a-x, -g.beta))
	return mufu.Rcp(t * t)
}

// inverse is its inverse.
func (g gamma) inverse(y float32) float32 {
	t := g.beta + fastLog(mufu.Rsqrt(y)-1)
	return poly.FMA32(-t, g.scale, g.a)
}

// fastExp and fastLog scale by a float64, other than CUDA's fast functions.
func fastExp(x float32) float32 { return mufu.Ex2(float32(float64(x) * math.Log2E)) }
func fastLog(x float32) float32 { return float32(float64(mufu.Lg2(x)) * math.Ln2) }

// logGammas are the logarithms of the gamma function at 1 to 9.
var logGammas = [...]float64{
	0, 0, 6.931471805599453094e-1, 1.791759469228055001, 3.178053830347945620, 4.787491742782045994,
	6.579251212010100995, 8.525161361065414300, 1.060460290274525023e1,
}

// logGamma is the logarithm of the gamma function of a whole number: a table, or Stirling's
// series with the coefficients of Hart et al., "Computer Approximations", 5404.
func logGamma(a int32) float64 {
	f := math.Abs(float64(float32(a)))
	if a <= 8 {
		if f < 1 || int(f) > len(logGammas) {
			return 0 // cuRAND reads what stands beside the table; such a trial is accepted practically never
		}
		return logGammas[int(f)-1]
	}
	s := 1 / f
	t := float64(s * s)
	sum := -0.1633436431e-2
	for _, c := range [...]float64{0.83645878922e-3, -0.5951896861197e-3, 0.793650576493454e-3, -0.277777777735865004e-2, 0.833333333333331018375e-1} {
		sum = math.FMA(sum, t, c)
	}
	sum = math.FMA(sum, s, 0.918938533204672)
	l := float64(0.5 * mufu.Log(f))
	return math.FMA(l, f-0.5, -f) + math.FMA(l, f-0.5, sum)
}

// toUint32 and toInt32 convert as a GPU does, towards zero and to the nearest end of the range.
func toUint32(x float64) uint32 {
	switch {
	case x != x:
		return 1 << 31
	case x <= 0:
		return 0
	case x >= math.MaxUint32:
		return math.MaxUint32
	}
	return uint32(x)
}

func toInt32(x float64) int32 {
	switch {
	case x != x:
		return 0
	case x <= math.MinInt32:
		return math.MinInt32
	case x >= math.MaxInt32:
		return math.MaxInt32
	}
	return int32(x)
}
