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
func TestLastPlacesOfTruncatedNormals(t *testing.T) {
	for dist, perBlock := range map[string]int{"truncnormal": 4, "truncnormal64": 2} {
		args := []string{"fill", "-dist", dist, "-stream", "281474976710655", "-offset", "18446744073709551615", "-out", "-", "-n"}
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
	takes := map[string]string{"normal": "mean std", "normal64": "mean std", "truncnormal": "mean std a b", "truncnormal64": "mean std a b"}
	for _, d := range dists {
		for _, o := range distOptions {
			for _, value := range []string{o.preset, "1.5", "x"} {
				args := []string{"fill", "-dist", d.name, "-n", "3", "-out", "x.bin", "-" + o.name, value}
				refused := fmt.Sprintf("philox fill: -%s = %q: -dist %s does not take it\n", o.name, value, d.name)
				switch {
				case !strings.Contains(" "+takes[d.name]+" ", " "+o.name+" "):
					assert.Contains(t, fails(t, 2, args...), refused)
				case value == "x":
					assert.Contains(t, fails(t, 2, args...), fmt.Sprintf("philox fill: -%s = %q: must be a number", o.name, value))
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
		got, err := d.standard()(philox.New(42), make([]uint64, 8), 3, 1)
		require.NoError(t, err, d.name)
		same(t, expected(t, d.name, philox.New(42), 3, 1), got, d.name)
	}
}
