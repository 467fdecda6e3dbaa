package normal_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/statistics"
	"github.com/philox-go/rng/philox/asm"
)

var exhaustive = flag.Bool("exhaustive", false, "measure the accuracy of the float32 normals over all words: minutes")

// What ACCURACY.md promises.
const (
	maxRadius = 1.347e-7 // relative error of r
	maxCosine = 9.71e-8  // and of cosine and sine of the angle from the nearest quadrant
	maxSine   = 1.099e-7
	maxNormal = 3.1e-7 // and of z, whatever the words
	maxUlp    = 4.0    // the largest error of z in units in the last place of the exact z
	farUlp    = 2.0    // no more than maxFar of all z are further off than this
	maxFar    = 0.002
)

// The words with the largest errors, found by -exhaustive.
const (
	worstRadius = 0x9abd1040
	worstCosine = 0x1fde720f
	worstSine   = 0x1572470f
)

// fillStandard makes the numbers of a stream from a block on.
func fillStandard[T asm.Element](k asm.Kind, dst []T, seed, block uint64) {
	asm.Fill(k, dst, [2]uint32{uint32(seed), uint32(seed >> 32)}, [4]uint32{uint32(block), uint32(block >> 32)})
}

// pair32 is the pair of normals that two words make.
func pair32(x, y uint32) (z0, z1 float32) {
	words := []uint32{x, y}
	asm.Transform(asm.Active(), asm.Normal32, words, asm.Standard())
	return math.Float32frombits(words[0]), math.Float32frombits(words[1])
}

// fewer is n, or a part of it where each number takes longer.
func fewer(n int) int {
	if asm.Active() == asm.Generic {
		n /= 10
	}
	if statistics.RaceDetector() {
		n /= 16
	}
	if testing.Short() {
		n /= 50 // an emulator
	}
	return n
}

// exactRadius is r in float64. The sums and products before the logarithm are exact.
func exactRadius(x uint32) float64 {
	if u := (float64(x) + 0.5) * 0x1p-32; u < 0.5 {
		return math.Sqrt(-2 * math.Log(u))
	}
	return math.Sqrt(-2 * math.Log1p((float64(x)-0x1p32+0.5)*0x1p-32)) // u-1 is exact
}

// exactTurn is the number of the nearest quadrant, and sine and cosine of the angle
// from there. What is not exact is the product by pi/2, and sine and cosine.
func exactTurn(y uint32) (quadrant uint32, sin, cos float64) {
	v := (float64(y) + 0.5) * 0x1p-30 // in quadrants
	q := math.Floor(v + 0.5)
	sin, cos = math.Sincos((v - q) * (math.Pi / 2))
	return uint32(q) & 3, sin, cos
}

// exactPair is the formula of SEQUENCE.md.
func exactPair(x, y uint32) (z0, z1 float64) {
	r := exactRadius(x)
	q, sin, cos := exactTurn(y)
	switch q {
	case 0:
		return r * cos, r * sin
	case 1:
		return -r * sin, r * cos
	case 2:
		return -r * cos, -r * sin
	}
	return r * sin, -r * cos
}

// An accuracy says how far off numbers are.
type accuracy struct {
	n          int64
	largest    float64 // relative error
	word       uint32  // the first one that has it
	sum        float64 // of the relative errors
	largestUlp float64
	far        int // further off than farUlp
}

func (a *accuracy) add(word uint32, got float32, want float64) {
	difference := math.Abs(float64(got) - want)
	relative := difference / math.Abs(want)
	ulp := difference / lastPlace(want)
	a.n++
	a.sum += relative
	if !(relative <= a.largest) { // or it is no number
		a.largest, a.word = relative, word
	}
	if !(ulp <= a.largestUlp) {
		a.largestUlp = ulp
	}
	if !(ulp <= farUlp) {
		a.far++
	}
}

func (a *accuracy) join(b accuracy) {
	a.n += b.n
	a.sum += b.sum
	a.far += b.far
	if !(b.largest < a.largest) && (b.largest != a.largest || b.word < a.word) {
		a.largest, a.word = b.largest, b.word
	}
	a.largestUlp = max(a.largestUlp, b.largestUlp)
}

// lastPlace is the unit in the last place of a float32 near v, which is normal.
func lastPlace(v float64) float64 {
	return math.Float64frombits(math.Float64bits(v)&(0x7ff<<52)) * 0x1p-23
}

// shared runs job for 0 to n-1 by as many goroutines as there are processors, each
// with an S of its own, and joins those.
func shared[S any](n int, job func(s *S, i int), join func(total *S, s S)) (total S) {
	var next atomic.Int64
	var wait sync.WaitGroup
	parts := make([]S, runtime.GOMAXPROCS(0))
	for p := range parts {
		wait.Add(1)
		go func() {
			defer wait.Done()
			var s S
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				job(&s, i)
			}
			parts[p] = s
		}()
	}
	wait.Wait()
	for _, s := range parts {
		join(&total, s)
	}
	return total
}

// accuracies are those of r, and of cosine and sine of the angle from the nearest
// quadrant.
type accuracies struct{ radius, cosine, sine accuracy }

func (a *accuracies) join(b accuracies) {
	a.radius.join(b.radius)
	a.cosine.join(b.cosine)
	a.sine.join(b.sine)
}

// measure looks at n words: the radius alone, with the angle of y = 0, whose cosine
// is exactly 1, and the angle alone, with the radius of a word where it is exactly 1.
func (a *accuracies) measure(n int, word func(i int) uint32, one uint32) {
	radii, turns := make([]uint32, 2*n), make([]uint32, 2*n)
	for i := range n {
		radii[2*i] = word(i)
		turns[2*i], turns[2*i+1] = one, word(i)
	}
	asm.Transform(asm.Active(), asm.Normal32, radii, asm.Standard())
	asm.Transform(asm.Active(), asm.Normal32, turns, asm.Standard())
	for i := range n {
		w := word(i)
		a.radius.add(w, math.Float32frombits(radii[2*i]), exactRadius(w))
		cos, sin := math.Float32frombits(turns[2*i]), math.Float32frombits(turns[2*i+1])
		q, exactSin, exactCos := exactTurn(w)
		if q&1 != 0 {
			cos, sin = sin, -cos
		}
		if q&2 != 0 {
			cos, sin = -cos, -sin
		}
		a.cosine.add(w, cos, exactCos)
		a.sine.add(w, sin, exactSin)
	}
}

// radiusOne finds a word whose r is 1. Then z0 is 1 where the cosine is, at y = 0,
// and z1 is there the sine, 2^-31 times the float32 next to pi/2. A factor that is
// off by one place shows in one of the two products, even where it hides in the other.
func radiusOne(t *testing.T) uint32 {
	const sine = float32(math.Pi/2) * 0x1p-31
	middle := uint32(math.Exp(-0.5) * 0x1p32)
	for x := middle - 1000; x < middle+1000; x++ {
		if z0, z1 := pair32(x, 0); z0 == 1 && z1 == sine {
			return x
		}
	}
	require.Fail(t, "no word has r = 1")
	return 0
}

// bounds holds what was measured against the bounds, and their product against that
// of z: two factors and the rounding of the product.
func (a *accuracies) bounds(t *testing.T) {
	assert.LessOrEqual(t, a.radius.largest, maxRadius, "radius of %#08x", a.radius.word)
	assert.LessOrEqual(t, a.cosine.largest, maxCosine, "cosine of %#08x", a.cosine.word)
	assert.LessOrEqual(t, a.sine.largest, maxSine, "sine of %#08x", a.sine.word)
	assert.LessOrEqual(t, (1+a.radius.largest)*(1+max(a.cosine.largest, a.sine.largest))*(1+0x1p-24)-1, maxNormal)
}

func (a *accuracies) table() string {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintln(w, "\t quantity\t words\t largest relative error\t at word\t mean relative error\t largest error in ulp\t")
	fmt.Fprintln(w, "\t---\t---\t---\t---\t---\t---\t")
	for _, row := range []struct {
		name string
		accuracy
	}{{"radius", a.radius}, {"cosine", a.cosine}, {"sine", a.sine}} {
		fmt.Fprintf(w, "\t %s\t %d\t %.4g\t %#08x\t %.4g\t %.4f\t\n",
			row.name, row.n, row.largest, row.word, row.sum/float64(row.n), row.largestUlp)
	}
	w.Flush()
	return b.String()
}

// The table of ACCURACY.md: all words of the radius and all words of the angle.
func TestAccuracyOfAllWords(t *testing.T) {
	if !*exhaustive {
		t.Log("takes minutes: -exhaustive")
		return
	}
	const chunk = 1 << 14
	one := radiusOne(t)
	all := shared(1<<32/chunk, func(a *accuracies, i int) {
		a.measure(chunk, func(j int) uint32 { return uint32(i*chunk + j) }, one)
	}, (*accuracies).join)
	t.Logf("%v, r = 1 at %#08x\n%s", asm.Active(), one, all.table())
	require.Equal(t, int64(1)<<32, all.radius.n)
	require.Equal(t, int64(1)<<32, all.sine.n)
	all.bounds(t)
	assert.Equal(t, uint32(worstRadius), all.radius.word)
	assert.Equal(t, uint32(worstCosine), all.cosine.word)
	assert.Equal(t, uint32(worstSine), all.sine.word)
}

// sample is every so-many-th word, and those where something changes: the ends, the
// powers of two, the edges of quadrants and halves of quadrants.
func sample() []uint32 {
	stride := uint64(4099)
	if testing.Short() {
		stride = 131101
	}
	words := []uint32{worstRadius, worstCosine, worstSine}
	for x := uint64(0); x < 1<<32; x += stride {
		words = append(words, uint32(x))
	}
	around := func(x, n uint32) {
		for d := -n; d != n; d++ {
			words = append(words, x+d)
		}
	}
	around(0, 4096) // both ends
	for i := range uint32(32) {
		around(1<<i, 128)
		around(-(1 << i), 128)
	}
	for i := range uint32(8) {
		around(i<<29, 2048)
	}
	return words
}

func TestAccuracyOfSample(t *testing.T) {
	const chunk = 1 << 12
	one, words := radiusOne(t), sample()
	all := shared((len(words)+chunk-1)/chunk, func(a *accuracies, i int) {
		part := words[i*chunk : min((i+1)*chunk, len(words))]
		a.measure(len(part), func(j int) uint32 { return part[j] }, one)
	}, (*accuracies).join)
	t.Logf("%v\n%s", asm.Active(), all.table())
	all.bounds(t)
}

// The recorded words have the recorded errors.
func TestAccuracyAtWorstWords(t *testing.T) {
	one := radiusOne(t)
	for _, c := range []struct {
		name string
		word uint32
		of   func(a *accuracies) accuracy
		want float64
	}{
		{"radius", worstRadius, func(a *accuracies) accuracy { return a.radius }, 1.3465e-7},
		{"radius below 1", 0xdfd5bae0, func(a *accuracies) accuracy { return a.radius }, 1.291e-7},
		{"cosine", worstCosine, func(a *accuracies) accuracy { return a.cosine }, 9.70e-8},
		{"sine", worstSine, func(a *accuracies) accuracy { return a.sine }, 1.098e-7},
	} {
		var a accuracies
		a.measure(1, func(int) uint32 { return c.word }, one)
		assert.InDelta(t, c.want, c.of(&a).largest, 6e-11, c.name)
	}
}

// What a fill writes is near the exact normals of the words that a fill of words writes.
func TestAccuracyOfPairs(t *testing.T) {
	const seed, chunk = 0x0acc, 1 << 12 // pairs
	chunks := fewer(10_000_000)/chunk + 1
	all := shared(chunks, func(a *accuracy, i int) {
		words, z := make([]uint32, 2*chunk), make([]float32, 2*chunk)
		block := uint64(i * chunk / 2)
		fillStandard(asm.Uint32, words, seed, block)
		fillStandard(asm.Normal32, z, seed, block)
		for j := 0; j < len(z); j += 2 {
			z0, z1 := exactPair(words[j], words[j+1])
			a.add(words[j], z[j], z0)
			a.add(words[j], z[j+1], z1)
		}
	}, (*accuracy).join)
	far := float64(all.far) / float64(all.n)
	t.Logf("%d normals: relative error %.4g, mean %.4g; %.4f ulp; %.4f%% above %v ulp",
		all.n, all.largest, all.sum/float64(all.n), all.largestUlp, 100*far, farUlp)
	assert.LessOrEqual(t, all.largest, maxNormal)
	assert.LessOrEqual(t, all.largestUlp, maxUlp)
	assert.LessOrEqual(t, far, maxFar+sampling(all.n))
}

// sampling is what maxFar of a few numbers may be exceeded by: next to nothing for
// those of a native run.
func sampling(n int64) float64 {
	if n > 10_000_000 {
		return 0
	}
	return 5 * math.Sqrt(maxFar/float64(n))
}

// The largest normals are those of the smallest words, in every direction.
func TestLargestNormals(t *testing.T) {
	largest32, largest64 := math.Sqrt(66*math.Ln2), math.Sqrt(108*math.Ln2)
	for quadrant := range 4 {
		sign := float64(1 - quadrant&2)
		words32 := []uint32{0, uint32(quadrant) << 30}
		asm.Transform(asm.Active(), asm.Normal32, words32, asm.Standard())
		z32 := float64(math.Float32frombits(words32[quadrant&1]))
		assert.InDelta(t, 6.7637, sign*z32, 5e-5)
		assert.InEpsilon(t, largest32, sign*z32, maxNormal)

		words64 := []uint64{0, uint64(quadrant) << 62}
		asm.Transform(asm.Active(), asm.Normal64, words64, asm.Standard())
		z64 := math.Float64frombits(words64[quadrant&1])
		assert.InDelta(t, 8.6522, sign*z64, 5e-5)
		assert.InEpsilon(t, largest64, sign*z64, 0x1p-51)
	}
	// No other word has a larger radius: it falls as x grows, but for rounding.
	next, _ := pair32(1, 0)
	assert.Less(t, float64(next), largest32-0.01)
}
