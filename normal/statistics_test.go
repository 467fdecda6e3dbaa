package normal_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/philox-go/rng/internal/statistics"
	"github.com/philox-go/rng/philox/asm"
)

// manyNormals is the count that biases are written for: those for fewer normals grow as
// the standard error does.
const manyNormals = 100_000_000

// A tally is a sum over pairs of normals that several statistics look at.
type tally struct {
	size int
	add  func(sum, z []float64)
}

const (
	moments = iota
	values
	products
	polar
)

var tallies = [...]tally{
	moments:  {8, addMoments},
	values:   {2 * valueBins, addValues},
	products: {productSums, addProducts},
	polar:    {radiusBins + angleBins + jointBins, addPolar},
}

// A statistic says how far off a tally is. Where there are several numbers (the first
// of the pairs, the second, all) it is the worst.
type statistic struct {
	name   string
	tally  int
	sigmas func(sum []float64, pairs float64) float64
	// mutant biases a stream by some 10 standard errors: e is 1 for manyNormals.
	mutant func(z []float64, e float64)
}

var allStatistics = []statistic{
	{"mean", moments, moment(func(m [5]float64) float64 { return m[1] }), shifted(0.001)},
	{"variance", moments, moment(func(m [5]float64) float64 { return (m[2] - 1) / math.Sqrt(2) }), scaled(0.0007)},
	{"skewness", moments, moment(func(m [5]float64) float64 {
		return m[3] / math.Pow(m[2], 1.5) / math.Sqrt(6)
	}), each(func(z, e float64) float64 { return z + 0.0004*e*(z*z-1) })},
	{"kurtosis", moments, moment(func(m [5]float64) float64 {
		return (m[4]/(m[2]*m[2]) - 3) / math.Sqrt(24)
	}), each(func(z, e float64) float64 { return z + 0.0002*e*(z*z*z-3*z) })},

	{"tail beyond 2, scaled", values, tail(2), scaled(0.001)},
	{"tail beyond 3, scaled", values, tail(3), scaled(0.002)},
	{"tail beyond 3, cut on one side", values, tail(3), each(func(z, _ float64) float64 { return min(z, 2.99) })},
	{"tail beyond 4, cut", values, tail(4), each(func(z, _ float64) float64 { return max(-3.99, min(z, 3.99)) })},
	{"tail beyond 5, heavier", values, tail(5), each(func(z, _ float64) float64 {
		if math.Abs(z) > 4 {
			z *= 1.25
		}
		return z
	})},

	{"distribution, shifted", values, distribution, shifted(0.0015)},
	{"distribution, scaled", values, distribution, scaled(0.003)},

	{"correlation in a pair", products, product(inPair), correlated(0.0015)},
	{"correlation of squares in a pair", products, product(squares), unsteady(0.027)},
	{"correlation with the next pair", products, product(nextPair), func(z []float64, e float64) {
		for i := 2; i < len(z); i += 2 {
			z[i] += 0.0015 * e * z[i-1]
		}
	}},
	{"correlation of members with the next ones", products, product(nextMember), func(z []float64, e float64) {
		for i := 2; i < len(z); i++ {
			z[i] += 0.0012 * e * z[i-2]
		}
	}},

	// z0^2 + z1^2 over 2 is exponential, and the angle uniform, independently.
	{"radius", polar, radius, scaled(0.0015)},
	{"angle", polar, angle, func(z []float64, e float64) {
		for i := 1; i < len(z); i += 2 {
			z[i] *= 1 + 0.01*e
		}
	}},
	{"radius and angle", polar, joint, correlated(0.004)},
}

func each(f func(z, e float64) float64) func(z []float64, e float64) {
	return func(z []float64, e float64) {
		for i, v := range z {
			z[i] = f(v, e)
		}
	}
}

func shifted(by float64) func(z []float64, e float64) {
	return func(z []float64, e float64) {
		for i := range z {
			z[i] += by * e
		}
	}
}

func scaled(by float64) func(z []float64, e float64) {
	return func(z []float64, e float64) {
		for i := range z {
			z[i] *= 1 + by*e
		}
	}
}

func correlated(by float64) func(z []float64, e float64) {
	return func(z []float64, e float64) {
		for i := 0; i+1 < len(z); i += 2 {
			z[i+1] += by * e * z[i]
		}
	}
}

// unsteady makes pairs by turns a little larger and smaller. The correlation of their
// squares grows with the square of by.
func unsteady(by float64) func(z []float64, e float64) {
	return func(z []float64, e float64) {
		a := by * math.Sqrt(e)
		for i := 0; i+3 < len(z); i += 4 {
			z[i] *= 1 + a
			z[i+1] *= 1 + a
			z[i+2] *= 1 - a
			z[i+3] *= 1 - a
		}
	}
}

// parts is the largest of what f makes of the first of the pairs, of the second, and
// of all; half of the sum is for each.
func parts(sum []float64, pairs float64, f func(sum []float64, n float64) float64) float64 {
	first, second := sum[:len(sum)/2], sum[len(sum)/2:]
	all := make([]float64, len(first))
	for i := range all {
		all[i] = first[i] + second[i]
	}
	return largest(f(first, pairs), f(second, pairs), f(all, 2*pairs))
}

// largest is the largest magnitude, or NaN if one is.
func largest(values ...float64) (m float64) {
	for _, v := range values {
		m = max(m, math.Abs(v))
	}
	return m
}

func addMoments(sum, z []float64) {
	var a1, a2, a3, a4, b1, b2, b3, b4 float64
	for i := 0; i+1 < len(z); i += 2 {
		a, b := z[i], z[i+1]
		aa, bb := a*a, b*b
		a1 += a
		a2 += aa
		a3 += aa * a
		a4 += aa * aa
		b1 += b
		b2 += bb
		b3 += bb * b
		b4 += bb * bb
	}
	for i, v := range [...]float64{a1, a2, a3, a4, b1, b2, b3, b4} {
		sum[i] += v
	}
}

// moment takes the mean and the central moments; f's standard error is 1/sqrt(n).
func moment(f func(m [5]float64) float64) func(sum []float64, pairs float64) float64 {
	return func(sum []float64, pairs float64) float64 {
		return parts(sum, pairs, func(s []float64, n float64) float64 {
			a, b, c, d := s[0]/n, s[1]/n, s[2]/n, s[3]/n
			return math.Sqrt(n) * f([5]float64{1, a, b - a*a, c - 3*a*b + 2*a*a*a, d - 4*a*c + 6*a*a*b - 3*a*a*a*a})
		})
	}
}

func tail(from int) func(sum []float64, pairs float64) float64 {
	low, high := valueBins/2-from*valueScale, valueBins/2+from*valueScale
	return func(sum []float64, pairs float64) float64 {
		return parts(sum, pairs, func(s []float64, n float64) float64 {
			count := 0.0
			for i, v := range s {
				if i < low || i >= high {
					count += v
				}
			}
			return statistics.Binomial(count, n, math.Erfc(float64(from)/math.Sqrt2))
		})
	}
}

const (
	valueBins  = 1 << 12 // of [-8,8)
	valueScale = valueBins / 16
)

func addValues(sum, z []float64) {
	first, second := sum[:valueBins], sum[valueBins:2*valueBins]
	for i := 0; i+1 < len(z); i += 2 {
		first[bin(z[i]*valueScale+valueBins/2, valueBins)]++
		second[bin(z[i+1]*valueScale+valueBins/2, valueBins)]++
	}
}

// bin is the bin of v; the first and the last one take what is beyond.
func bin(v float64, bins int) int { return max(0, min(int(v), bins-1)) }

func distribution(sum []float64, pairs float64) float64 {
	return parts(sum, pairs, func(s []float64, n float64) float64 {
		return statistics.Distance(s, n, func(bin int) float64 {
			return math.Erfc(-float64(bin-valueBins/2)/valueScale/math.Sqrt2) / 2
		})
	})
}

const (
	inPair = iota
	squares
	nextPair   // the second of a pair with the first of the next
	nextMember // both with the same member of the next pair
	productSums
)

// addProducts adds up products of standard deviation 1. The first pair has none before
// it, so that there are fewer than pairs, by one in a thousand or two.
func addProducts(sum, z []float64) {
	var in, square, next, same, lastA, lastB float64
	for i := 0; i+1 < len(z); i += 2 {
		a, b := z[i], z[i+1]
		in += a * b
		square += (a*a - 1) * (b*b - 1)
		next += lastB * a
		same += lastA*a + lastB*b
		lastA, lastB = a, b
	}
	sum[inPair] += in
	sum[squares] += square / 2
	sum[nextPair] += next
	sum[nextMember] += same / math.Sqrt2
}

func product(which int) func(sum []float64, pairs float64) float64 {
	return func(sum []float64, pairs float64) float64 { return sum[which] / math.Sqrt(pairs) }
}

const (
	radiusBins  = 1 << 13
	radiusScale = 256 // bins in 1
	angleBins   = 1 << 12
	jointRadii  = 16 // of 1/4 each
	jointAngles = 64
	jointBins   = jointRadii * jointAngles
)

func addPolar(sum, z []float64) {
	radii, angles, both := sum[:radiusBins], sum[radiusBins:][:angleBins], sum[radiusBins+angleBins:][:jointBins]
	for i := 0; i+1 < len(z); i += 2 {
		r := bin((z[i]*z[i]+z[i+1]*z[i+1])*(radiusScale/2), radiusBins)
		a := bin((turn(z[i], z[i+1])+2)*(angleBins/4), angleBins)
		radii[r]++
		angles[a]++
		both[min(r/(radiusScale/4), jointRadii-1)*jointAngles+a/(angleBins/jointAngles)]++
	}
}

func radius(sum []float64, pairs float64) float64 {
	return statistics.Distance(sum[:radiusBins], pairs, func(bin int) float64 { return -math.Expm1(-float64(bin) / radiusScale) })
}

func angle(sum []float64, pairs float64) float64 {
	return statistics.Distance(sum[radiusBins:][:angleBins], pairs, func(bin int) float64 { return turnBelow(bin, angleBins) })
}

// turn is a number from -2 to 2 that grows with the angle from -pi to pi: the way
// around a square. It is cheaper than the angle, and as good with bins of known
// probability.
func turn(z0, z1 float64) float64 {
	return math.Copysign(1-z0/(math.Abs(z0)+math.Abs(z1)), z1)
}

// turnBelow is the part of all angles in the bins of turn before this one.
func turnBelow(bin, bins int) float64 {
	at := 4*float64(bin)/float64(bins) - 2
	cos := 1 - math.Abs(at)
	return (math.Atan2(math.Copysign(1-math.Abs(cos), at), cos) + math.Pi) / (2 * math.Pi)
}

// joint is chi-square of the bins of radius and angle.
func joint(sum []float64, pairs float64) float64 {
	return statistics.ChiSquare(sum[radiusBins+angleBins:], pairs, func(bin int) float64 {
		r, a := bin/jointAngles, bin%jointAngles
		radius := math.Exp(-float64(r) / 4)
		if r < jointRadii-1 {
			radius -= math.Exp(-float64(r+1) / 4)
		}
		return radius * (turnBelow(a+1, jointAngles) - turnBelow(a, jointAngles))
	})
}

// sums are the tallies of a stream and of the mutants.
type sums struct {
	fair, biased [][]float64
	float32s     []float32
	z, changed   []float64
}

func (s *sums) init(chunk int) {
	if s.fair != nil {
		return
	}
	s.float32s, s.z, s.changed = make([]float32, chunk), make([]float64, chunk), make([]float64, chunk)
	for _, t := range tallies {
		s.fair = append(s.fair, make([]float64, t.size))
	}
	for _, st := range allStatistics {
		s.biased = append(s.biased, make([]float64, tallies[st.tally].size))
	}
}

func (s *sums) join(part sums) {
	s.init(0)
	for i := range part.fair {
		addTo(s.fair[i], part.fair[i])
	}
	for i := range part.biased {
		addTo(s.biased[i], part.biased[i])
	}
}

func addTo(sum, part []float64) {
	for i, v := range part {
		sum[i] += v
	}
}

// The numbers of each type have the statistics of independent normals, and what each
// statistic is for would be found: a part of the same numbers with a slight bias, of
// so many standard errors of the part, is beyond the same limit.
func TestStatistics(t *testing.T) {
	const (
		chunk      = 1 << 12 // normals
		fewest     = 1_000_000
		mutantPart = 4
	)
	for _, stream := range []struct {
		kind asm.Kind
		seed uint64
		n    int
	}{
		{asm.Normal32, 0x5eed32, manyNormals},
		{asm.Normal64, 0x5eed64, manyNormals / 10},
	} {
		t.Run(stream.kind.String(), func(t *testing.T) {
			n := max(fewer(stream.n), fewest)
			chunks, mutantChunks := n/chunk+1, max(n/mutantPart, fewest)/chunk+1
			fairPairs, mutantPairs := float64(chunks*chunk/2), float64(mutantChunks*chunk/2)
			e := math.Sqrt(manyNormals / (2 * mutantPairs))
			total := shared(chunks, func(s *sums, c int) {
				s.init(chunk)
				block := uint64(c) * uint64(chunk/stream.kind.PerBlock())
				if stream.kind == asm.Normal32 {
					fillStandard(stream.kind, s.float32s, stream.seed, block)
					for i, v := range s.float32s {
						s.z[i] = float64(v)
					}
				} else {
					fillStandard(stream.kind, s.z, stream.seed, block)
				}
				for i, t := range tallies {
					t.add(s.fair[i], s.z)
				}
				if c >= mutantChunks {
					return
				}
				for i, st := range allStatistics {
					copy(s.changed, s.z)
					st.mutant(s.changed, e)
					tallies[st.tally].add(s.biased[i], s.changed)
				}
			}, (*sums).join)
			for i, st := range allStatistics {
				fair, biased := st.sigmas(total.fair[st.tally], fairPairs), st.sigmas(total.biased[i], mutantPairs)
				t.Logf("%-42s %6.2f of %g, mutant %6.2f of %g", st.name, fair, 2*fairPairs, biased, 2*mutantPairs)
				assert.LessOrEqual(t, math.Abs(fair), statistics.Limit, "%s of %g normals", st.name, 2*fairPairs)
				assert.Greater(t, math.Abs(biased), statistics.Limit, "%s of %g normals with a bias passes", st.name, 2*mutantPairs)
			}
		})
	}
}
