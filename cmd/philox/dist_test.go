package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/normal"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
)

// Truncated normals reach the library with every number that was typed, wherever they
// begin and end, and their shards join.
func TestFillTruncates(t *testing.T) {
	for _, c := range []struct {
		flags           string
		mean, std, a, b float64
	}{
		{"", 0, 1, -2, 2},
		{"-mean 10 -std 0.5 -a 9 -b 1_0.25", 10, 0.5, 9, 10.25},
		{"-mean -3e3 -std 1e3 -a -inf -b +Inf", -3e3, 1e3, math.Inf(-1), math.Inf(1)},
		{"-mean 1.5 -std 0 -a 1.5 -b 1.5", 1.5, 0, 1.5, 1.5},
		{"-std 2 -a 0", 0, 2, 0, 2},
		{"-std 2 -a 9 -b Infinity", 0, 2, 9, math.Inf(1)}, // few normals are there
		{"-b -0.5", 0, 1, -2, -0.5},
	} {
		for _, p := range []struct {
			n                     int
			stream, offset, first uint64
		}{
			{0, 0, 0, 3},
			{1, 3, 5, 1},
			{5, 0, 1 << 32, 2},
			{1001, 1<<48 - 2, math.MaxUint64, 7},
			{1001, 1<<48 - 1, 0, math.MaxUint64 - 2}, // element 2^64 is among them
			{chunkBytes/4 + 3, 1, 0, 3},
		} {
			s := philox.NewAt(philox.NewKey(7), philox.CounterAt(p.stream, p.offset))
			narrow, wide := make([]float32, p.n), make([]float64, p.n)
			require.NoError(t, normal.FillTruncatedFloat32At(s, narrow, p.first, float32(c.mean), float32(c.std), float32(c.a), float32(c.b)))
			require.NoError(t, normal.FillTruncatedFloat64At(s, wide, p.first, c.mean, c.std, c.a, c.b))
			for dist, want := range map[string][]byte{"truncnormal": serialise(t, narrow), "truncnormal64": serialise(t, wide)} {
				args := append(strings.Fields("fill -out - -seed 7 -dist "+dist+" "+c.flags), "-n", strconv.Itoa(p.n), "-stream", strconv.FormatUint(p.stream, 10),
					"-offset", strconv.FormatUint(p.offset, 10), "-first", strconv.FormatUint(p.first, 10))
				same(t, want, runs(t, args...), args)
				var joined []byte
				for i := range 3 {
					joined = append(joined, runs(t, append(args, "-shard", fmt.Sprintf("%d/3", i))...)...)
				}
				same(t, want, joined, args)
			}
		}
	}
}

// The bounds of float32 numbers are the outermost float32 within those that were typed.
func TestBoundsOfFloat32(t *testing.T) {
	next := func(x float32, to float64) float32 { return math.Nextafter32(x, float32(to)) }
	up, down := math.Inf(1), math.Inf(-1)
	for _, c := range []struct {
		a, b  float64
		least float32
		most  float32
	}{
		{-2, 2, -2, 2},
		{0.1, 0.3, 0.1, next(0.3, down)}, // the nearest float32 are above both
		{-0.3, -0.1, next(-0.3, up), -0.1},
		{0.7, 0.9, next(0.7, up), 0.9}, // the nearest float32 are below both
		{1e-50, 1e39, math.SmallestNonzeroFloat32, math.MaxFloat32},
		{-1e39, -1e-50, -math.MaxFloat32, -math.SmallestNonzeroFloat32},
		{down, up, float32(down), float32(up)},
		{0.99999999, 1.00000001, 1, 1},
		{16777217, 16777219, 16777218, 16777218},
	} {
		a, b, err := boundsOf[float32](distNumbers{"a": {value: c.a}, "b": {value: c.b}})
		require.NoError(t, err, c)
		assert.Equal(t, c.least, a, c)
		assert.Equal(t, c.most, b, c)
		assert.True(t, c.a <= float64(a) && float64(b) <= c.b, c)
		wideA, wideB, err := boundsOf[float64](distNumbers{"a": {value: c.a}, "b": {value: c.b}})
		require.NoError(t, err, c)
		assert.Equal(t, []float64{c.a, c.b}, []float64{wideA, wideB})
	}
}

// Three float32 are within these bounds, and the nearest to either is not.
func TestTruncatedStaysWithinWhatWasTyped(t *testing.T) {
	const a, b = 16777217, 16777223
	got := runs(t, "fill", "-dist", "truncnormal", "-mean", "16777220", "-std", "3", "-a", fmt.Sprint(a), "-b", fmt.Sprint(b), "-n", "10_000", "-out", "-")
	drawn := map[float64]int{}
	for i := 0; i < len(got); i += 4 {
		drawn[float64(math.Float32frombits(binary.LittleEndian.Uint32(got[i:])))]++
	}
	for v := range drawn {
		assert.True(t, a <= v && v <= b, v)
	}
	assert.Len(t, drawn, 3)
}

// What a truncated normal cannot be, or where, is told before there is a file, by
// every shard in the same words, and in those that were typed.
func TestBadTruncatedNormals(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("old.bin", []byte("old"), 0o666))
	const before48 = "must keep the output of -dist %s before stream 2^48 (281474976710656)"
	for _, c := range []struct{ dists, flags, says string }{
		{"32 64", "-a 3.0", `-a = "3.0": must be at most -b = "2"`},
		{"32 64", "-b -3e0", `-a = "-2": must be at most -b = "-3e0"`},
		{"32 64", "-a 1 -b 0x0.FFp0", `-a = "1": must be at most -b = "0x0.FFp0"`},
		{"32 64", "-b -inf", `-a = "-2": must be at most -b = "-inf"`},
		{"32 64", "-a +Inf", `-a = "+Inf": must be at most -b = "2"`},
		{"32", "-a 0.10 -b 0.10", `-a = "0.10": the interval from there to -b = "0.10" holds no finite float32`},
		{"32", "-a 1.00000001 -b 1.00000002", `-a = "1.00000001": the interval from there to -b = "1.00000002" holds no finite float32`},
		{"32", "-a 1e39 -b inf", `-a = "1e39": the interval from there to -b = "inf" holds no finite float32`},
		{"32", "-a -inf -b -1e39", `-a = "-inf": the interval from there to -b = "-1e39" holds no finite float32`},
		{"32", "-a inf -b inf", `-a = "inf": the interval from there to -b = "inf" holds no finite float32`},
		{"64", "-a inf -b inf", `-a = "inf": the interval from there to -b = "inf" holds no finite float64`},
		{"64", "-a -Inf -b -Inf", `-a = "-Inf": the interval from there to -b = "-Inf" holds no finite float64`},
		{"32", "-std 1e-60", `-std = "1e-60": is too small for the distribution's float32: it would be 0`},
		{"32 64", "-a -1e400", `-a = "-1e400": is beyond the largest float64`},
		{"32 64", "-mean 1e400", `-mean = "1e400": is beyond the largest float64`},
		{"32 64", "-a nan", `-a = "nan": must be a number`},
		{"32 64", "-b NaN", `-b = "NaN": must be a number`},
		{"32 64", "-a 1,5", `-a = "1,5": must be a number, such as`},
		{"32 64", "-b 1__0", `-b = "1__0": must be a number, such as`},
		{"32 64", "-b 1e309", `-b = "1e309": is beyond the largest float64`},
		{"32 64", "-mean inf", `-mean = "inf": must be a finite number`},
		{"32 64", "-mean nan", `-mean = "nan": must be a finite number`},
		{"32 64", "-std -1", `-std = "-1": must be a finite number of at least 0`},
		{"32 64", "-std inf", `-std = "inf": must be a finite number of at least 0`},
		{"32 64", "-std nan", `-std = "nan": must be a finite number of at least 0`},
		{"32", "-mean 1e39", `-mean = "1e39": is too large for the distribution's float32`},
		{"32", "-std 1e39 -mean -1e39", `-mean = "-1e39": is too large for the distribution's float32`},
		{"32", "-mean 3.0 -std 0", `-std = "0": must be above 0, since -mean = "3.0" as a float32 is not from -a = "-2" to -b = "2"`},
		{"32", "-mean 0.3 -std 0 -b 0.3", `-std = "0": must be above 0, since -mean = "0.3" as a float32 is not from -a = "-2" to -b = "0.3"`},
		{"64", "-mean -2.5 -std 0", `-std = "0": must be above 0, since -mean = "-2.5" as a float64 is not from -a = "-2" to -b = "2"`},
		{"32 64", "-stream 0x1_0000_0000_0000", `-stream = "0x1_0000_0000_0000": ` + before48},
		{"32 64", "-stream 18446744073709551615 -offset 18446744073709551615 -first 4", `-stream = "18446744073709551615": ` + before48},
		{"32 64", "-stream 281474976710655 -offset 18446744073709551615 -first 4", `-first = "4": ` + before48},
		// Only the last element goes too far: one of 7, of the last shard alone.
		{"32", "-stream 281474976710655 -offset 18446744073709551614 -first 2", `-n = "7": ` + before48},
		{"64", "-stream 281474976710655 -offset 18446744073709551613", `-n = "7": ` + before48},
	} {
		for _, bits := range strings.Fields(c.dists) {
			dist := map[string]string{"32": "truncnormal", "64": "truncnormal64"}[bits]
			want := "philox fill: " + strings.Replace(c.says, "%s", dist, 1)
			args := append([]string{"fill", "-dist", dist}, strings.Fields(c.flags)...)
			for _, where := range []string{
				"-n 7 -out x.bin", "-n 7 -out x.npy", "-n 7 -out old.bin", "-n 7 -out -",
				"-n 7 -out x-%d.bin -shard 0/9", "-n 7 -out x-%d.npy -shard 1/9", "-n 7 -out - -shard 8/9", "-n 0 -out x.bin",
			} {
				if strings.HasPrefix(where, "-n 0") && !strings.Contains(c.says, "-stream") && strings.Contains(c.says, before48) {
					continue // nothing goes too far then
				}
				said := fails(t, 2, append(args, strings.Fields(where)...)...)
				assert.True(t, strings.HasPrefix(said, want), "%v %s: %s", args, where, said)
			}
		}
	}
	assert.Equal(t, []string{"old.bin"}, files(t, "."))
	assert.Equal(t, "old", string(readFile(t, "old.bin")))
}

// The last places before stream 2^48 are good to the last element, for an output of
// none beyond them too; plain normals go anywhere.
func TestLastPlacesOfWhatIsDrawnAgain(t *testing.T) {
	for dist, perBlock := range map[string]int{
		"truncnormal": 4, "truncnormal64": 2, "truncnormal16": 4, "uint8 -hi 7": 4, "int32 -hi 7": 4, "int -hi 4294967296": 4, "int -hi 4294967297": 2,
	} {
		args := append(strings.Fields("fill -dist "+dist), "-stream", "281474976710655", "-offset", "18446744073709551615", "-out", "-", "-n")
		assert.NotEmpty(t, runs(t, append(args, strconv.Itoa(perBlock))...))
		assert.Contains(t, fails(t, 2, append(args, strconv.Itoa(perBlock+1))...), fmt.Sprintf(`-n = "%d"`, perBlock+1))
		assert.Empty(t, runs(t, append(args, "0", "-first", "4")...))
	}
	assert.NotEmpty(t, runs(t, "fill", "-dist", "normal", "-stream", "18446744073709551615", "-n", "4", "-out", "-"))
}

// A flag that would change nothing is refused, with the value that it has by default
// too.
func TestDistributionsRefuseFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	takes := map[string]string{
		"uniform": "lo hi", "normal": "mean std", "truncnormal": "mean std a b", "lognormal": "mean std", "exponential": "rate",
		"cauchy": "loc scale", "laplace": "loc scale", "gumbel": "loc scale",
		"bernoulli": "p", "geometric": "p", "int": "lo hi", "int32": "lo hi", "uint8": "lo hi",
	}
	for name, flags := range takes {
		if d, err := findDist(name); err == nil && d.element == "float32" {
			for _, suffix := range []string{"64", "16", "bf16"} {
				takes[name+suffix] = flags
			}
		}
	}
	for _, d := range dists {
		for _, o := range distOptions {
			good := "1.5"
			switch {
			case o.name == "p" || o.name == "lo" && !d.whole:
				good = "0.5"
			case d.whole:
				good = "3"
			}
			for _, value := range []string{o.preset, good, "x"} {
				args := append(fillOf(d), "-n", "3", "-out", "x.bin", "-"+o.name, value)
				refused := fmt.Sprintf("philox fill: -%s = %q: -dist %s does not take it\n", o.name, value, d.name)
				switch {
				case !strings.Contains(" "+takes[d.name]+" ", " "+o.name+" "):
					assert.Contains(t, fails(t, 2, args...), refused)
				case value == "x" && d.whole:
					assert.Contains(t, fails(t, 2, args...), fmt.Sprintf("philox fill: -%s = %q: must be a whole number from ", o.name, value))
				case value == "x":
					assert.Contains(t, fails(t, 2, args...), fmt.Sprintf("philox fill: -%s = %q: must be a number, such as", o.name, value))
				default:
					runs(t, args...)
					require.NoError(t, os.Remove("x.bin"))
				}
				assert.Empty(t, files(t, "."), args)
			}
		}
	}
}

// What bench times, and what fill writes where no number is given.
func TestStandardFills(t *testing.T) {
	for _, d := range dists {
		got, err := d.standard().fill(philox.New(42), make([]uint64, 8), 3, 1)
		require.NoError(t, err, d.name)
		same(t, expected(t, d.name, philox.New(42), 3, 1), got, d.name)
	}
}

// fillOf is the command that writes a distribution, with the flags that it needs.
func fillOf(d dist) []string {
	args := []string{"fill", "-dist", d.name}
	if d.whole {
		args = append(args, "-hi", wholeEnd)
	}
	return args
}

// wholeEnd is -hi of integers in tests.
const wholeEnd = "100"

// isModel reports whether a distribution stands for others in tests with many numbers:
// there is one for each type, elements of a block and way of making them, and in short
// tests, which an emulator runs, one for each size.
func isModel(d dist) bool {
	switch d.name {
	case "u32", "u64", "uniform16", "uint8":
		return true
	case "uniform", "uniform64", "open", "normal", "normal64", "normalbf16",
		"truncnormal", "truncnormal64", "lognormal16", "bernoulli", "geometric", "int":
		return !testing.Short()
	}
	return false
}

// parsed is what a command line that names a distribution has of it.
func parsed(t *testing.T, args ...string) (dist, filling) {
	t.Helper()
	c := call{options: map[string]string{}, given: map[string]bool{}}
	for _, o := range fillCommand.options {
		c.options[o.name] = o.preset
	}
	for i := 1; i < len(args); i += 2 {
		c.options[args[i][1:]], c.given[args[i][1:]] = args[i+1], true
	}
	d, err := findDist(c.options["dist"])
	require.NoError(t, err)
	f, err := d.filler(c)
	require.NoError(t, err)
	return d, f
}

// A reference makes what a file should have by a generator of package random, which
// begins at blocks and ends with a stream.
type reference func(t *testing.T, s philox.Stream, n int, first uint64) []byte

func generated[T any](perBlock uint64, fill func(*random.Generator, []T) error) reference {
	return func(t *testing.T, s philox.Stream, n int, first uint64) []byte {
		t.Helper()
		skipped := int(first % perBlock)
		stream, offset := s.Counter().Skip(first / perBlock).Uint64s()
		all := make([]T, skipped+n)
		for rest := all; len(rest) > 0; stream, offset = stream+1, 0 {
			m := len(rest)
			if left := -offset; left != 0 && left < uint64(m)/perBlock+1 {
				m = min(m, int(left*perBlock))
			}
			g := random.NewGenerator(random.CPU(), s.Key().Seed())
			if stream > 0 {
				var err error
				g, err = g.Substream(stream)
				require.NoError(t, err)
			}
			require.NoError(t, g.SetOffset(offset))
			require.NoError(t, fill(g, rest[:m]))
			rest = rest[m:]
		}
		return serialise(t, all[skipped:])
	}
}

// Functions of package random, with all numbers but the format.
type (
	single func(*random.Generator, []float32) error
	double func(*random.Generator, []float64) error
	halves func(*random.Generator, []uint16, random.Format) error
)

// references are the distributions with their defaults.
var references = func() map[string]reference {
	all := map[string]reference{
		"bernoulli": generated(4, func(g *random.Generator, dst []bool) error { return random.Bernoulli(g, dst, 0.5) }),
		"geometric": generated(2, func(g *random.Generator, dst []int64) error { return random.Geometric(g, dst, 0.5) }),
		"int":       generated(4, func(g *random.Generator, dst []int64) error { return random.IntN(g, dst, 0, 100) }),
		"int32":     generated(4, func(g *random.Generator, dst []int32) error { return random.IntN(g, dst, 0, 100) }),
		"uint8":     generated(4, func(g *random.Generator, dst []uint8) error { return random.IntN(g, dst, 0, 100) }),
	}
	family := func(name string, s single, d double, h halves) {
		all[name] = generated(4, s)
		all[name+"64"] = generated(2, d)
		all[name+"16"] = generated(4, func(g *random.Generator, dst []uint16) error { return h(g, dst, random.Float16) })
		all[name+"bf16"] = generated(4, func(g *random.Generator, dst []uint16) error { return h(g, dst, random.BFloat16) })
	}
	family("uniform",
		func(g *random.Generator, dst []float32) error { return random.Uniform(g, dst, 0, 1) },
		func(g *random.Generator, dst []float64) error { return random.Uniform(g, dst, 0, 1) },
		func(g *random.Generator, dst []uint16, f random.Format) error {
			return random.UniformHalf(g, dst, f, 0, 1)
		})
	family("normal",
		func(g *random.Generator, dst []float32) error { return random.Normal(g, dst, 0, 1) },
		func(g *random.Generator, dst []float64) error { return random.Normal(g, dst, 0, 1) },
		func(g *random.Generator, dst []uint16, f random.Format) error {
			return random.NormalHalf(g, dst, f, 0, 1)
		})
	family("truncnormal",
		func(g *random.Generator, dst []float32) error { return random.TruncatedNormal(g, dst, 0, 1, -2, 2) },
		func(g *random.Generator, dst []float64) error { return random.TruncatedNormal(g, dst, 0, 1, -2, 2) },
		func(g *random.Generator, dst []uint16, f random.Format) error {
			return random.TruncatedNormalHalf(g, dst, f, 0, 1, -2, 2)
		})
	family("lognormal",
		func(g *random.Generator, dst []float32) error { return random.LogNormal(g, dst, 0, 1) },
		func(g *random.Generator, dst []float64) error { return random.LogNormal(g, dst, 0, 1) },
		func(g *random.Generator, dst []uint16, f random.Format) error {
			return random.LogNormalHalf(g, dst, f, 0, 1)
		})
	family("exponential",
		func(g *random.Generator, dst []float32) error { return random.Exponential(g, dst, 1) },
		func(g *random.Generator, dst []float64) error { return random.Exponential(g, dst, 1) },
		func(g *random.Generator, dst []uint16, f random.Format) error {
			return random.ExponentialHalf(g, dst, f, 1)
		})
	family("cauchy",
		func(g *random.Generator, dst []float32) error { return random.Cauchy(g, dst, 0, 1) },
		func(g *random.Generator, dst []float64) error { return random.Cauchy(g, dst, 0, 1) },
		func(g *random.Generator, dst []uint16, f random.Format) error {
			return random.CauchyHalf(g, dst, f, 0, 1)
		})
	family("laplace",
		func(g *random.Generator, dst []float32) error { return random.Laplace(g, dst, 0, 1) },
		func(g *random.Generator, dst []float64) error { return random.Laplace(g, dst, 0, 1) },
		func(g *random.Generator, dst []uint16, f random.Format) error {
			return random.LaplaceHalf(g, dst, f, 0, 1)
		})
	family("gumbel",
		func(g *random.Generator, dst []float32) error { return random.Gumbel(g, dst, 0, 1) },
		func(g *random.Generator, dst []float64) error { return random.Gumbel(g, dst, 0, 1) },
		func(g *random.Generator, dst []uint16, f random.Format) error {
			return random.GumbelHalf(g, dst, f, 0, 1)
		})
	return all
}()

// Numbers reach the library as the element's type, and a half's as float32.
func TestFillTakesNumbers(t *testing.T) {
	type half = []uint16
	for flags, want := range map[string]reference{
		"uniform -lo -0.3 -hi 0x1.8p2": generated(4, func(g *random.Generator, dst []float32) error { return random.Uniform(g, dst, -0.3, 6) }),
		"uniform -lo 0.0 -hi 1e0":      generated(4, func(g *random.Generator, dst []float32) error { return random.Uniform(g, dst, 0, 1) }),
		"uniform -hi 1e-50 -lo -1":     generated(4, func(g *random.Generator, dst []float32) error { return random.Uniform(g, dst, -1, 0) }),
		"uniform64 -lo 0.1 -hi 0.3":    generated(2, func(g *random.Generator, dst []float64) error { return random.Uniform(g, dst, 0.1, 0.3) }),
		"uniform16 -lo -5 -hi 6.5e4": generated(4, func(g *random.Generator, dst half) error {
			return random.UniformHalf(g, dst, random.Float16, -5, 65000)
		}),
		"uniformbf16 -hi 1e30":      generated(4, func(g *random.Generator, dst half) error { return random.UniformHalf(g, dst, random.BFloat16, 0, 1e30) }),
		"normal16 -mean 0.1 -std 3": generated(4, func(g *random.Generator, dst half) error { return random.NormalHalf(g, dst, random.Float16, 0.1, 3) }),
		"truncnormal16 -std 2 -a 0.1 -b inf": generated(4, func(g *random.Generator, dst half) error {
			return random.TruncatedNormalHalf(g, dst, random.Float16, 0, 2, 0.1, float32(math.Inf(1)))
		}),
		"truncnormalbf16 -mean 1 -a -1 -b 0.7": generated(4, func(g *random.Generator, dst half) error {
			return random.TruncatedNormalHalf(g, dst, random.BFloat16, 1, 1, -1, math.Nextafter32(0.7, 0)) // rounded down
		}),
		"lognormal -mean -1 -std 0.25": generated(4, func(g *random.Generator, dst []float32) error { return random.LogNormal(g, dst, -1, 0.25) }),
		"lognormal64 -mean 700":        generated(2, func(g *random.Generator, dst []float64) error { return random.LogNormal(g, dst, 700, 1) }),
		"lognormalbf16 -std 9":         generated(4, func(g *random.Generator, dst half) error { return random.LogNormalHalf(g, dst, random.BFloat16, 0, 9) }),
		"exponential -rate 0.1":        generated(4, func(g *random.Generator, dst []float32) error { return random.Exponential(g, dst, 0.1) }),
		"exponential64 -rate 1e-320":   generated(2, func(g *random.Generator, dst []float64) error { return random.Exponential(g, dst, 1e-320) }),
		"exponential16 -rate 1e9":      generated(4, func(g *random.Generator, dst half) error { return random.ExponentialHalf(g, dst, random.Float16, 1e9) }),
		"cauchy -loc 7 -scale 0.1":     generated(4, func(g *random.Generator, dst []float32) error { return random.Cauchy(g, dst, 7, 0.1) }),
		"laplace64 -loc -1e9 -scale 3": generated(2, func(g *random.Generator, dst []float64) error { return random.Laplace(g, dst, -1e9, 3) }),
		"gumbel16 -loc 1 -scale 2":     generated(4, func(g *random.Generator, dst half) error { return random.GumbelHalf(g, dst, random.Float16, 1, 2) }),
		"bernoulli -p 1e-1":            generated(4, func(g *random.Generator, dst []bool) error { return random.Bernoulli(g, dst, 0.1) }),
		"bernoulli -p 1":               generated(4, func(g *random.Generator, dst []bool) error { return random.Bernoulli(g, dst, 1) }),
		"bernoulli -p 0":               generated(4, func(g *random.Generator, dst []bool) error { return random.Bernoulli(g, dst, 0) }),
		"geometric -p 1e-3":            generated(2, func(g *random.Generator, dst []int64) error { return random.Geometric(g, dst, 1e-3) }),
	} {
		same(t, want(t, philox.NewAt(philox.NewKey(7), philox.CounterAt(3, math.MaxUint64-50)), 1001, 3),
			runs(t, strings.Fields("fill -n 1001 -seed 7 -stream 3 -offset 0xffffffffffffffcd -first 3 -out - -dist "+flags)...), flags)
	}
}

// Integers are exact, whatever their range, and so is where they are: of more than 2^32
// integers a block makes two.
func TestFillIntegers(t *testing.T) {
	ints := func(perBlock uint64, lo, last int64) reference {
		return generated(perBlock, func(g *random.Generator, dst []int64) error { return random.IntRange(g, dst, lo, last) })
	}
	for flags, want := range map[string]reference{
		"int -lo 9007199254740993 -hi 9007199254740994":        ints(4, 1<<53+1, 1<<53+1),
		"int -lo -9_007_199_254_740_993 -hi -9007199254740990": ints(4, -1<<53-1, -1<<53+1),
		"int -hi 4294967296":                                    ints(4, 0, 1<<32-1),
		"int -hi 4_294_967_297":                                 ints(2, 0, 1<<32),
		"int -lo -1e18 -hi 1e18":                                ints(2, -1e18, 1e18-1),
		"int -lo -0x8000000000000000 -hi 9223372036854775808":   ints(2, math.MinInt64, math.MaxInt64),
		"int -lo 9223372036854775807 -hi 9223372036854775808":   ints(4, math.MaxInt64, math.MaxInt64),
		"int -lo -9223372036854775808 -hi -9223372036854775807": ints(4, math.MinInt64, math.MinInt64),
		"int32 -lo -2147483648 -hi 2147483648": generated(4, func(g *random.Generator, dst []int32) error {
			return random.IntRange(g, dst, math.MinInt32, math.MaxInt32)
		}),
		"int32 -lo -2.5e6 -hi -0": generated(4, func(g *random.Generator, dst []int32) error { return random.IntN(g, dst, -2500000, 0) }),
		"uint8 -hi 256":           generated(4, func(g *random.Generator, dst []uint8) error { return random.IntRange(g, dst, 0, 255) }),
		"uint8 -lo 1 -hi 0x7":     generated(4, func(g *random.Generator, dst []uint8) error { return random.IntN(g, dst, 1, 7) }),
	} {
		for _, p := range []struct {
			n                     int
			stream, offset, first uint64
		}{
			{1, 0, 0, 0},
			{5, 2, 7, 3},
			{1001, 1<<48 - 2, math.MaxUint64, 7},
			{1001, 1<<48 - 1, 0, math.MaxUint64 - 2},
			{chunkBytes/8 + 3, 1, 0, 3},
		} {
			if p.n > 2000 && testing.Short() {
				continue
			}
			args := append(strings.Fields("fill -out - -seed 7 -dist "+flags), "-n", strconv.Itoa(p.n), "-stream", strconv.FormatUint(p.stream, 10),
				"-offset", strconv.FormatUint(p.offset, 10), "-first", strconv.FormatUint(p.first, 10))
			whole := want(t, philox.NewAt(philox.NewKey(7), philox.CounterAt(p.stream, p.offset)), p.n, p.first)
			same(t, whole, runs(t, args...), args)
			var joined []byte
			for i := range 3 {
				joined = append(joined, runs(t, append(args, "-shard", fmt.Sprintf("%d/3", i))...)...)
			}
			same(t, whole, joined, args)
		}
	}
}

// What two numbers must be to each other is told in the words that were typed, before
// there is a file.
func TestBadBounds(t *testing.T) {
	t.Chdir(t.TempDir())
	const before48 = "must keep the output of -dist %s before stream 2^48 (281474976710656)"
	for _, c := range []struct{ dists, flags, says string }{
		{"uniform uniform64 uniform16 uniformbf16", "-lo 5.0 -hi 5", `-lo = "5.0": must be less than -hi = "5"`},
		{"uniform uniform64 uniform16 uniformbf16", "-lo 1e1 -hi -5", `-lo = "1e1": must be less than -hi = "-5"`},
		{"uniform64", "-lo -1.0e308 -hi 1e308", `-hi = "1e308": is so far from -lo = "-1.0e308" that the difference is infinite as a float64`},
		{"uniform uniformbf16", "-lo -3e38 -hi 3e38", `-hi = "3e38": is so far from -lo = "-3e38" that the difference is infinite as a float32`},
		{"uniformbf16", "-lo -1.7014e38 -hi 1.7014e38", `-hi = "1.7014e38": is so far from -lo = "-1.7014e38" that the difference is infinite as a bfloat16`},
		{"uniformbf16", "-hi 3.4e38", `-hi = "3.4e38": is too large for the distribution's bfloat16`},
		{"uniform16", "-lo 2048 -hi 2049", `-lo = "2048": must be less than -hi = "2049" as a float16 too`},
		{"truncnormal16", "-a 2048.5 -b 2049.5", `-a = "2048.5": the interval from there to -b = "2049.5" holds no finite float16`},
		{"truncnormal16", "-a 1e5 -b inf", `-a = "1e5": the interval from there to -b = "inf" holds no finite float16`},
		{"truncnormalbf16", "-a 0.001 -b 0.001", `-a = "0.001": the interval from there to -b = "0.001" holds no finite float32`},
		{"truncnormal16 truncnormalbf16", "-mean 3.0 -std 0", `-std = "0": must be above 0, since -mean = "3.0" as a `},
		{"int int32 uint8", "-lo 5 -hi 5", `-lo = "5": must be less than -hi = "5"`},
		{"int int32", "-lo 1e1 -hi -5", `-lo = "1e1": must be less than -hi = "-5"`},
		{"int int32 uint8", "-lo 1.5 -hi 5", `-lo = "1.5": must be a whole number from `},
		{"int int32 uint8", "-lo nan -hi 5", `-lo = "nan": must be a whole number from `},
		{"int", "-lo -9223372036854775809 -hi 5", `-lo = "-9223372036854775809": must be a whole number from -9223372036854775808 to 9223372036854775807, such as`},
		{"int", "-lo 9223372036854775808 -hi 5", `-lo = "9223372036854775808": must be a whole number from -9223372036854775808 to 9223372036854775807, such as`},
		{"int32", "-lo -2147483649 -hi 5", `-lo = "-2147483649": must be a whole number from -2147483648 to 2147483647, such as`},
		{"uint8", "-lo -1 -hi 5", `-lo = "-1": must be a whole number from 0 to 255, such as`},
		{"int int32 uint8", "-lo 5", `-hi is missing: -dist `},
		{"int int32 uint8 truncnormal16", "-stream 0x1_0000_0000_0000", `-stream = "0x1_0000_0000_0000": ` + before48},
		{"int int32 uint8 truncnormalbf16", "-stream 281474976710655 -offset 18446744073709551615 -first 4", `-first = "4": ` + before48},
		{"int int32 uint8 truncnormal16", "-stream 281474976710655 -offset 18446744073709551614 -first 2", `-n = "7": ` + before48},
	} {
		for _, name := range strings.Fields(c.dists) {
			d, err := findDist(name)
			require.NoError(t, err)
			args := append([]string{"fill", "-dist", name}, strings.Fields(c.flags)...)
			if d.whole && strings.Contains(c.flags, "-stream") {
				args = append(args, "-hi", wholeEnd)
			}
			want := "philox fill: " + strings.Replace(c.says, "%s", name, 1)
			for _, where := range []string{"-n 7 -out x.bin", "-n 7 -out x.npy", "-n 7 -out -", "-n 7 -out x-%d.bin -shard 0/9", "-n 7 -out - -shard 8/9", "-n 0 -out x.bin"} {
				if strings.HasPrefix(where, "-n 0") && !strings.Contains(c.says, "-stream") && strings.Contains(c.says, before48) {
					continue // nothing goes too far then
				}
				said := fails(t, 2, append(args, strings.Fields(where)...)...)
				assert.True(t, strings.HasPrefix(said, want), "%v %s: %s", args, where, said)
			}
		}
	}
	assert.Empty(t, files(t, "."))
}
