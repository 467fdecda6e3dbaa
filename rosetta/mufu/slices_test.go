package mufu

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/philox-go/rng/internal/poly"
	"github.com/philox-go/rng/philox/asm"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// opNames are the names of the ops' functions in functions.
var opNames = [ops]string{
	"sin.approx.ftz.f32", "cos.approx.ftz.f32", "lg2.approx.ftz.f32", "ex2.approx.ftz.f32", "rcp.approx.ftz.f32",
	"rsqrt.approx.ftz.f32", "sqrt.approx.ftz.f32", "__logf", "__expf", "logf", "expf",
}

func (o op) String() string { return opNames[o] }

// vectors returns the levels of this machine that have kernels. Where PHILOX_REQUIRE_ISA names
// a level, it must be among them.
func vectors(tb testing.TB) []asm.Level {
	if name := os.Getenv("PHILOX_REQUIRE_ISA"); name != "" {
		require.Contains(tb, fmt.Sprint(asm.Levels()), name, "this machine lacks the level")
	}
	return asm.Levels()[1:]
}

// sameSlice compares what a slice became with the function of one number, bit for bit
// but for which NaN it is.
func sameSlice(t *testing.T, l asm.Level, o op, got, x []float32) {
	t.Helper()
	for i, v := range x {
		if want := scalars[o](v); bits32(want) != bits32(got[i]) {
			t.Fatalf("%v %v(%08x = %g) = %08x, not %08x", l, o, math.Float32bits(v), v, math.Float32bits(got[i]), math.Float32bits(want))
		}
	}
}

// Bit patterns at equal distances, of all exponents and both signs, and those around every power
// of 2, where the fractions of the tables begin and where domains end.
func TestSlicesOfAllExponents(t *testing.T) {
	const length = 1 << 12
	step := uint64(4801)
	if testing.Short() || raceEnabled {
		step *= 40
	}
	x, dst := make([]float32, length), make([]float32, length)
	for _, l := range vectors(t) {
		for o := range ops {
			for b := uint64(0); b < 1<<32; {
				for i := range x {
					x[i] = f32(uint32(b))
					b += step
				}
				apply(l, o, dst, x)
				sameSlice(t, l, o, dst, x)
			}
			for e := range uint32(512) {
				for i := range x[:128] {
					x[i] = f32(e<<23 + uint32(i) - 64)
				}
				apply(l, o, dst[:128], x[:128])
				sameSlice(t, l, o, dst[:128], x[:128])
			}
		}
	}
}

// TestSlicesOnHardware compares every level with the sums of a GPU's results: a part of
// them, and all 2^32 arguments of every function with MUFU_ALL=1 in the environment.
func TestSlicesOnHardware(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("the other tests compare with the functions of one number; .ci/run also runs this one")
	}
	for _, l := range vectors(t) {
		for o, name := range opNames {
			at := slices.IndexFunc(functions, func(f struct {
				name string
				f    func(float32) float32
			}) bool {
				return f.name == name
			})
			require.GreaterOrEqual(t, at, 0, name)
			compare(t, fmt.Sprint(l, " ", name), 4*classes*at, classes, []int{0, 160}, func(class int) uint64 {
				var sum uint64
				x, dst := make([]float32, 1<<16), make([]float32, 1<<16)
				for j := range uint32(1 << 6) {
					block := j<<10 | (uint32(class)-37*j)%classes
					for i := range x {
						x[i] = f32(block<<16 | uint32(i))
					}
					apply(l, op(o), dst, x)
					for i, v := range dst {
						sum += mix(uint64(block<<16|uint32(i))<<32 | uint64(bits32(v)))
					}
				}
				return sum
			})
		}
	}
}

// All arguments of a binade by every level, as TestBinades has them of one number.
func TestSlicesOfBinades(t *testing.T) {
	for _, c := range []struct {
		o    op
		e    uint32 // of the binade, biased, and the sign
		want string
	}{
		{opLg2, 127, "7fd9be9a924e40a0ee18ba20e7f5158135112947597c8dd86131d3d4d8f9dbfa"},
		{opLg2, 126, "883e42d8f751983063b4c93a966fba006f08c1e111d90fe20e0fee3dd67ddd22"},
		{opLg2, 96, "17609b51515a8fa9f8d662b0b6b83b5fb15f63a25750a9f66ebc23e12294f582"},
		{opEx2, 127, "cce5df10202dbfcde720ca547d147edb3e2a406a5fed189323f419177a72a1a5"},
		{opEx2, 256 + 127, "503d2238b9f4c00e8686f80a703dd13d365554f2887c7279a7b438f642aceab3"},
		{opRcp, 127, "c408381446132e07fa5581e930dc33fb790bea7ec4276ef3621e322df2492a55"},
		{opRsqrt, 127, "c733e1437c713cd7e87f4c7e52e9aab270b2107f274cda35309dc8586ad6ec22"},
		{opRsqrt, 128, "fd7b866f4085a9e88ef6abdd9ba2726eb26708fb17d173619dac4405acb06bc0"},
		{opSqrt, 127, "dc6925bfdd56d604760414da31328a657d4585a92e6285b7106eea847b864ab1"},
		{opSqrt, 128, "ffc55416e1586610267a0adf5b3a14983317cc4bfeac3272c865098345f56199"},
	} {
		for _, l := range vectors(t) {
			if raceEnabled || testing.Short() && c.e != 127 {
				continue
			}
			h := sha256.New()
			x, dst, part := make([]float32, 1<<12), make([]float32, 1<<12), make([]byte, 4<<12)
			for b := c.e << 23; b>>23 == c.e; {
				for i := range x {
					x[i] = f32(b)
					b++
				}
				apply(l, c.o, dst, x)
				for i, v := range dst {
					binary.LittleEndian.PutUint32(part[4*i:], math.Float32bits(v))
				}
				h.Write(part)
				if b == 0 {
					break
				}
			}
			assert.Equal(t, c.want, hex.EncodeToString(h.Sum(nil)), "%v %v", l, c.o)
		}
	}
}

var specials = []float32{
	0, 1, -1, 0x1p-149, 0x1p-126, 0x1p126, 0x1p127, math.MaxFloat32, posInf, f32(0x7fc00000), f32(0x7f800001), 87.5, 126, 256,
}

// A slice of n arguments: mostly good ones, and some special ones.
func mixed(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		switch r.IntN(8) {
		case 0:
			x[i] = specials[r.IntN(len(specials))] * float32(1-2*r.IntN(2))
		case 1:
			x[i] = f32(r.Uint32())
		default:
			x[i] = 4 * r.Float32()
		}
	}
	return x
}

// Every length at changing places of memory, in a slice of its own and in place; what is
// beside it stays as it was.
func TestSlicesOfEveryLength(t *testing.T) {
	const canary = 12345.5
	r := rand.New(rand.NewPCG(7, 8))
	vectors(t)
	for _, n := range append(lengths(), 255, 256, 257, 300, 511, 512, 513, 1000) {
		for _, l := range asm.Levels() {
			for o := range ops {
				x := mixed(r, n)
				for _, inPlace := range []bool{false, true} {
					from := 16 + r.IntN(16)
					mem := slices.Repeat([]float32{canary}, n+48)
					dst, arg := mem[from:from+n], x
					if inPlace {
						copy(dst, x)
						arg = dst
					}
					apply(l, o, dst, arg)
					sameSlice(t, l, o, dst, x)
					for i, v := range mem {
						require.True(t, from <= i && i < from+n || v == canary, "%v %v: %d elements at %d, wrote at %d", l, o, n, from, i)
					}
				}
			}
		}
	}
}

// lengths returns 0 to 100.
func lengths() (all []int) {
	for n := range 101 {
		all = append(all, n)
	}
	return all
}

// words has those that conversions get wrong, and others.
func words(r *rand.Rand, n int) []uint32 {
	w := make([]uint32, n)
	for i := range w {
		switch r.IntN(4) {
		case 0:
			w[i] = uint32(r.IntN(300))
		case 1:
			w[i] = -uint32(r.IntN(300))
		case 2:
			w[i] = 1<<r.IntN(32) + uint32(r.IntN(3)) - 1
		default:
			w[i] = r.Uint32()
		}
	}
	return w
}

// view returns n words of memory between others, and a check that these were not written.
func view(r *rand.Rand, n int) (part []uint32, check func(t *testing.T, what string)) {
	const canary = 0xa5a5a5a5
	from := 16 + r.IntN(16)
	mem := slices.Repeat([]uint32{canary}, n+48)
	return mem[from : from+n : from+n], func(t *testing.T, what string) {
		t.Helper()
		for i, v := range mem {
			require.True(t, from <= i && i < from+n || v == canary, "%s: %d elements at %d, wrote at %d", what, n, from, i)
		}
	}
}

func TestUniformsOfEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	vectors(t)
	for _, n := range append(lengths(), 1000, 20000) {
		w := words(r, n)
		for _, l := range asm.Levels() {
			for _, inPlace := range []bool{false, true} {
				run := func(what string, f func(dst []float32, w []uint32), want func(w uint32) float32) {
					part, check := view(r, n)
					dst, arg := floats(part), w
					if inPlace {
						copy(part, w)
						arg = part
					}
					f(dst, arg)
					for i, v := range dst {
						if want := want(w[i]); bits32(want) != bits32(v) {
							t.Fatalf("%v %s of %08x, at %d of %d: %v, not %v", l, what, w[i], i, n, v, want)
						}
					}
					check(t, fmt.Sprint(l, what))
				}
				run("uniform", func(dst []float32, w []uint32) { uniforms(l, dst, w) }, Uniform)
				// Half of the numbers are rounded to the upper bound, which becomes the lower one.
				const from, to = 1 << 23, 1<<23 + 1
				for _, b := range [][3]float32{{1, 0, 1}, {1, from, to}, {-3, 1, -2}, {0.1, 0.3, 0.4}} {
					run("between", func(dst []float32, w []uint32) { uniformsBetween(l, dst, w, b[0], b[1], b[2]) }, func(w uint32) float32 {
						if v := poly.FMA32(Uniform(w), b[0], b[1]); v != b[2] {
							return v
						}
						return b[1]
					})
				}
				run("affine", func(dst []float32, w []uint32) {
					for i, v := range w {
						dst[i] = Uniform(v)
					}
					affine(l, dst, 2.5, -1.25)
				}, func(w uint32) float32 { return poly.FMA32(Uniform(w), 2.5, -1.25) })
			}
		}
	}
}

func TestUniformEnds(t *testing.T) {
	assert.Equal(t, float32(0x1p-33), Uniform(0))
	assert.Equal(t, float32(1), Uniform(1<<32-1))
	assert.Equal(t, float32(1), Uniform(1<<32-128))
	assert.Equal(t, float32(1-0x1p-24), Uniform(1<<32-129))
	assert.Equal(t, float32(0.5), Uniform(1<<31))
}

func TestNormalsOfEveryLength(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	vectors(t)
	for _, n := range append(lengths(), 1000, 20000) {
		x, y := words(r, n), words(r, n)
		var want [2][]uint32
		for i := range x {
			a, b := Normal(x[i], y[i])
			want[0], want[1] = append(want[0], bits32(a)), append(want[1], bits32(b))
		}
		for _, l := range asm.Levels() {
			for _, inPlace := range []bool{false, true} {
				sin, checkSin := view(r, n)
				cos, checkCos := view(r, n)
				first, second := x, y
				if inPlace {
					copy(sin, x)
					copy(cos, y)
					first, second = sin, cos
				}
				normals(l, floats(sin), floats(cos), first, second)
				if n > 0 {
					require.Equal(t, want, [2][]uint32{sin, cos}, "%v: %d pairs", l, n)
				}
				checkSin(t, fmt.Sprint(l, " sin"))
				checkCos(t, fmt.Sprint(l, " cos"))
			}
		}
	}
}

// The radius is -0 where the uniform number is 1.
func TestNormalOfRadiusZero(t *testing.T) {
	for _, l := range asm.Levels() {
		x, y := slices.Repeat([]uint32{1<<32 - 1}, 64), make([]uint32, 64)
		for i := range y {
			y[i] = uint32(i) << 26
		}
		sin, cos := make([]float32, 64), make([]float32, 64)
		normals(l, sin, cos, x, y)
		for i := range y {
			a, b := Normal(x[i], y[i])
			assert.Zero(t, sin[i])
			assert.Equal(t, bits32(a), bits32(sin[i]), l)
			assert.Equal(t, bits32(b), bits32(cos[i]), l)
		}
	}
}

// The functions that others call are those of the active level.
func TestSlicesByTheActiveLevel(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	x := mixed(r, 100)
	for o, f := range []func(dst, x []float32){
		SinSlice, CosSlice, Lg2Slice, Ex2Slice, RcpSlice, RsqrtSlice, SqrtSlice, FastLogSlice, FastExpSlice, LogSlice, ExpSlice,
	} {
		dst := make([]float32, len(x))
		f(dst, x)
		sameSlice(t, asm.Active(), op(o), dst, x)
	}
	w, y := words(r, 100), words(r, 100)
	dst, other := make([]float32, 100), make([]float32, 100)
	Uniforms(dst, w)
	for i, v := range dst {
		require.Equal(t, Uniform(w[i]), v)
	}
	UniformsBetween(dst, w, 2, -1, 1)
	for i, v := range dst {
		want := poly.FMA32(Uniform(w[i]), 2, -1)
		if want == 1 {
			want = -1
		}
		require.Equal(t, want, v)
	}
	wide, more := make([]float64, 100), make([]float64, 100)
	NormalsDouble(wide, more, w, y, y, w)
	for i := range w {
		a, b := NormalDouble(w[i], y[i], y[i], w[i])
		require.Equal(t, [2]float64{a, b}, [2]float64{wide[i], more[i]})
	}
	UniformsDouble(wide, w, y)
	LogDoubleSlice(more, wide)
	for i := range w {
		require.Equal(t, UniformDouble(w[i], y[i]), wide[i])
		require.Equal(t, Log(wide[i]), more[i])
	}
	Normals(dst, other, w, y)
	Affine(dst, 2, 1)
	for i := range w {
		a, b := Normal(w[i], y[i])
		require.Equal(t, poly.FMA32(a, 2, 1), dst[i])
		require.Equal(t, b, other[i])
	}
}

func TestSlicesAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates; .ci/run also runs the tests without it")
	}
	for _, l := range asm.Levels() {
		for o := range ops {
			assert.Zero(t, testing.AllocsPerRun(10, func() {
				var x [333]float32
				apply(l, o, x[:], x[:])
			}), "%v %v", l, o)
		}
		assert.Zero(t, testing.AllocsPerRun(10, func() {
			var x, y [333]float32
			var w, v [333]uint32
			uniforms(l, x[:], w[:])
			uniformsBetween(l, x[:], w[:], 1, 2, 3)
			normals(l, x[:], y[:], w[:], v[:])
			affine(l, x[:], 1, 2)
			var s, c [333]float64
			words := [4][]uint32{w[:], v[:], w[:], v[:]}
			normalsDouble(l, s[:], c[:], &words)
			uniformsDouble(l, s[:], w[:], v[:])
			logDouble(l, s[:], s[:])
		}), "%v", l)
	}
}

func TestSlicesOfOtherLengths(t *testing.T) {
	f, w := make([]float32, 3), make([]uint32, 2)
	assert.PanicsWithValue(t, "mufu: x = 2 elements: must be as many as in dst, 3", func() { SinSlice(f, f[:2]) })
	assert.PanicsWithValue(t, "mufu: w = 2 elements: must be as many as in dst, 3", func() { Uniforms(f, w) })
	assert.PanicsWithValue(t, "mufu: w = 2 elements: must be as many as in dst, 3", func() { UniformsBetween(f, w, 1, 0, 1) })
	assert.PanicsWithValue(t, "mufu: cos = 2 elements: must be as many as in sin, 3", func() { Normals(f, f[:2], w, w) })
	assert.PanicsWithValue(t, "mufu: x = 2 elements: must be as many as in sin, 3", func() { Normals(f, f, w, w) })
	d := make([]float64, 3)
	assert.PanicsWithValue(t, "mufu: x = 2 elements: must be as many as in dst, 3", func() { LogDoubleSlice(d, d[:2]) })
	assert.PanicsWithValue(t, "mufu: a = 2 elements: must be as many as in dst, 3", func() { UniformsDouble(d, w, w) })
	assert.PanicsWithValue(t, "mufu: b = 2 elements: must be as many as in dst, 3", func() { UniformsDouble(d, make([]uint32, 3), w) })
	assert.PanicsWithValue(t, "mufu: cos = 2 elements: must be as many as in sin, 3", func() { NormalsDouble(d, d[:2], w, w, w, w) })
	assert.PanicsWithValue(t, "mufu: a = 2 elements: must be as many as in sin, 3", func() { NormalsDouble(d, d, w, w, w, w) })
	assert.PanicsWithValue(t, "mufu: y = 2 elements: must be as many as in sin, 3", func() { Normals(f, f, make([]uint32, 3), w) })
}

var (
	vectorRegister = regexp.MustCompile(`\b[XYZ]\d+\b`)
	wideRegister   = regexp.MustCompile(`\bZ\d+\b|\b[XY](1[6-9]|2\d|3[01])\b|\bK[0-7]\b`)
	vexOrEvex      = regexp.MustCompile(`^(V|K(MOV|OR|XOR))`)
	memory         = regexp.MustCompile(`\(DI\)`)
	slicesMove     = regexp.MustCompile(`^VMOVUP[SD]\s+([YZ]\d+, (\d+)?\(DI\)(\(R1[02]\*1\))?|(\d+)?\(DI\)\(R1[01]\*1\), [YZ]\d+)$`)
)

// Dirty upper halves slow down or corrupt the SSE code that follows, and slices are not aligned:
// whole registers are read and written by instructions that take any address.
func TestAssemblyRules(t *testing.T) {
	if testing.Short() {
		t.Skip("the same text everywhere; .ci/run also runs the tests without -short")
	}
	for file, wide := range map[string]bool{"kernels_avx512_amd64.s": true, "kernels_avx2_amd64.s": false} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Skip("no sources here; .ci/run also runs this test where they are")
		}
		kernels, last := 0, ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "TEXT") {
				kernels++
			}
			if line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "TEXT") || strings.HasPrefix(line, "DATA") {
				continue
			}
			if line == "RET" {
				assert.Equal(t, "VZEROUPPER", last, file)
			}
			if vectorRegister.MatchString(line) {
				assert.Regexp(t, vexOrEvex, line, file)
			}
			if memory.MatchString(line) {
				assert.Regexp(t, slicesMove, line, file)
			}
			assert.True(t, wide || !wideRegister.MatchString(line), "%s: %s", file, line)
			assert.NotRegexp(t, `\bBP\b`, line, file)
			last = line
		}
		assert.Equal(t, int(ops)+7, kernels, file)
	}
}

func BenchmarkSlices(b *testing.B) {
	const n = 960
	r := rand.New(rand.NewPCG(1, 2))
	x, dst := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i] = 1 + r.Float32()
	}
	for o := range ops {
		for _, l := range asm.Levels() {
			b.Run(fmt.Sprintf("%v/%v", o, l), func(b *testing.B) {
				b.SetBytes(4 * n)
				for b.Loop() {
					apply(l, o, dst, x)
				}
			})
		}
	}
}

// What cuRAND's and PyTorch's fills come to, beside the fills of package asm.
func BenchmarkFills(b *testing.B) {
	const n, part = 1920, 480 // blocks, of 30 KiB, and at a time
	var w, v [4][]uint32
	var f [4][]float32
	for k := range w {
		w[k], f[k] = make([]uint32, part), make([]float32, n)
	}
	v = w
	out, out64 := make([]float32, 4*n), make([]float64, 2*n)
	key, ctr := [2]uint32{1, 2}, [4]uint32{3, 4}
	for _, l := range asm.Levels() {
		for _, c := range []struct {
			name string
			f    func()
		}{
			{"native uniform", func() { asm.FillLevel(l, asm.Float32, out, key, ctr) }},
			{"uniform", func() {
				for i := 0; i < n; i += part {
					asm.FillLanes(l, v, key, ctr)
					for k := range w {
						uniformsBetween(l, f[k][i:i+part], v[k], 1, 0, 1)
					}
				}
			}},
			{"native normal64", func() { asm.FillLevel(l, asm.Normal64, out64, key, ctr) }},
			{"normal64", func() {
				for i := 0; i < n; i += part {
					asm.FillLanes(l, v, key, ctr)
					normalsDouble(l, out64[i:i+part], out64[n+i:n+i+part], &v)
				}
			}},
			{"native normal", func() { asm.FillLevel(l, asm.Normal32, out, key, ctr) }},
			{"normal", func() {
				for i := 0; i < n; i += part {
					asm.FillLanes(l, v, key, ctr)
					for k := 0; k < 4; k += 2 {
						normals(l, f[k][i:i+part], f[k+1][i:i+part], v[k], v[k+1])
						affine(l, f[k][i:i+part], 2, 1)
						affine(l, f[k+1][i:i+part], 2, 1)
					}
				}
			}},
		} {
			b.Run(c.name+"/"+l.String(), func(b *testing.B) {
				b.SetBytes(16 * n)
				for b.Loop() {
					c.f()
				}
			})
		}
	}
}
