package mufu

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// h200 has sums of the results of an NVIDIA H200, made by testdata/sums.cu, which says what is
// in it.
//
//go:embed testdata/h200.bin
var h200 []byte

const (
	classes = 1024 // of float32 arguments, 2^22 each
	parts   = 64   // of a set of float64 arguments, 2^20 each
	highs   = 4096 // of high words, 2^20 each
)

// everything reports that all of h200 is compared, which takes half an hour of one core.
func everything() bool { return os.Getenv("MUFU_ALL") == "1" }

// mix is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014) at state x.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func bits32(v float32) uint32 {
	if v != v {
		return 0x7fc00000
	}
	return math.Float32bits(v)
}

func bits64(v float64) uint64 {
	if v != v {
		return 0x7ff8000000000000
	}
	return math.Float64bits(v)
}

var functions = []struct {
	name string
	f    func(float32) float32
}{
	{"sin.approx.ftz.f32", Sin},
	{"cos.approx.ftz.f32", Cos},
	{"lg2.approx.ftz.f32", Lg2},
	{"ex2.approx.ftz.f32", Ex2},
	{"rcp.approx.ftz.f32", Rcp},
	{"rsqrt.approx.ftz.f32", Rsqrt},
	{"sqrt.approx.ftz.f32", Sqrt},
	{"__logf", FastLog},
	{"__expf", FastExp},
	{"__tanf", FastTan},
	{"logf", Logf},
	{"expf", Expf},
	{"log1pf", Log1pf},
	{"erfinvf", Erfinvf},
	{"sinf", Sinf},
	{"cosf", Cosf},
	{"sqrtf", func(x float32) float32 { return float32(math.Sqrt(float64(x))) }},
}

// Arguments are made of the bits of z.
func from0(z uint64) float64     { return float64(z>>11) * 0x1p-53 }               // [0,1)
func to1(z uint64) float64       { return float64(z>>11+1) * 0x1p-53 }             // (0,1]
func little(z uint64) float64    { return from0(z) * f64((1023-z&63)<<52) }        // [0,1), mostly small
func signed(z uint64) float64    { return 1 - float64(z>>5&2) }                    // 1 or -1
func word(z uint64) float32      { return f32(uint32(z)) }                         // any bits
func medium(z uint64) float32    { return f32(uint32(z)&0x83ffffff + 0x3e000000) } // 1/8 to 32
func divide(x, y float32) uint64 { return uint64(bits32(FastDivide(x, y))) }

func sinpi(x float64) uint64 {
	sin, _ := Sincospi(x)
	return bits64(sin)
}

func cospi(x float64) uint64 {
	_, cos := Sincospi(x)
	return bits64(cos)
}

var sets = []struct {
	name string
	f    func(z uint64) uint64
}{
	{"exp of [-745,710)", func(z uint64) uint64 { return bits64(Exp(math.FMA(from0(z), 1455, -745))) }},
	{"exp of any bits", func(z uint64) uint64 { return bits64(Exp(f64(z))) }},
	{"log of (0,1]", func(z uint64) uint64 { return bits64(Log(to1(z))) }},
	{"log of any bits", func(z uint64) uint64 { return bits64(Log(f64(z))) }},
	{"log1p of [-1,1)", func(z uint64) uint64 { return bits64(Log1p(math.FMA(from0(z), 2, -1))) }},
	{"log1p of any bits", func(z uint64) uint64 { return bits64(Log1p(f64(z))) }},
	{"tan of half a turn", func(z uint64) uint64 { return bits64(Tan(math.FMA(from0(z), math.Pi, -math.Pi/2))) }},
	{"tan of any bits", func(z uint64) uint64 { return bits64(Tan(f64(z))) }},
	{"erfinv of [-1,1)", func(z uint64) uint64 { return bits64(Erfinv(math.FMA(from0(z), 2, -1))) }},
	{"erfinv near 1", func(z uint64) uint64 { return bits64(Erfinv(signed(z) * (1 - little(z)))) }},
	{"erfinv of any bits", func(z uint64) uint64 { return bits64(Erfinv(f64(z))) }},
	{"sinpi of (0,2]", func(z uint64) uint64 { return sinpi(2 * to1(z)) }},
	{"cospi of (0,2]", func(z uint64) uint64 { return cospi(2 * to1(z)) }},
	{"sinpi of any bits", func(z uint64) uint64 { return sinpi(f64(z)) }},
	{"cospi of any bits", func(z uint64) uint64 { return cospi(f64(z)) }},
	{"rcp.approx.ftz.f64", func(z uint64) uint64 { return bits64(Rcp64(f64(z))) }},
	{"rsqrt.approx.ftz.f64", func(z uint64) uint64 { return bits64(Rsqrt64(f64(z))) }},
	{"division", func(z uint64) uint64 { return bits64(f64(z) / f64(mix(z))) }},
	{"square root", func(z uint64) uint64 { return bits64(math.Sqrt(f64(z))) }},
	{"__fdividef of any bits", func(z uint64) uint64 { return divide(word(z), word(z>>32)) }},
	{"__fdividef of 1/8 to 32", func(z uint64) uint64 { return divide(medium(z), medium(z>>32)) }},
	{"exp of [-20,20)", func(z uint64) uint64 { return bits64(Exp(math.FMA(from0(z), 40, -20))) }},
	{"log1p near 0", func(z uint64) uint64 { return bits64(Log1p(signed(z) * little(z))) }},
	{"tan of [-1000,1000)", func(z uint64) uint64 { return bits64(Tan(math.FMA(from0(z), 2000, -1000))) }},
	{"log near 1", func(z uint64) uint64 { return bits64(Log(1 - little(z))) }},
}

var reciprocals = []struct {
	name string
	f    func(float64) float64
}{
	{"Rcp64", Rcp64},
	{"Rsqrt64", Rsqrt64},
}

// parallel calls f for 0 to n-1, from as many goroutines as there are processors.
func parallel(n int, f func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	group.Wait()
}

// compare compares the low 32 bits of sum(i), for some i of 0 to n-1, with the sums
// in h200 from the given place on. It returns the bytes of all n of them.
func compare(t *testing.T, name string, offset, n int, some []int, sum func(i int) uint64) int {
	t.Helper()
	if everything() {
		some = nil
		for i := range n {
			some = append(some, i)
		}
	} else if testing.Short() || raceEnabled {
		some = some[:min(1, len(some))]
	}
	parallel(len(some), func(j int) {
		i := some[j]
		want := binary.LittleEndian.Uint32(h200[offset+4*i:])
		assert.Equal(t, want, uint32(sum(i)), "%s: sum %d", name, i)
	})
	return 4 * n
}

// TestHardware compares functions with sums of the results of a GPU: a part
// of them, and all with MUFU_ALL=1 in the environment.
func TestHardware(t *testing.T) {
	require.Len(t, h200, 4*(len(functions)*classes+len(sets)*parts+len(reciprocals)*highs))
	offset := 0
	for i, f := range functions {
		some := []int{0, 160} // with 0, and with -0
		if raceEnabled && i%4 != 0 {
			some = nil
		}
		offset += compare(t, f.name, offset, classes, some, func(class int) uint64 {
			var sum uint64
			for j := range uint32(1 << 6) {
				block := j<<10 | (uint32(class)-37*j)%classes
				for x := block << 16; ; x++ {
					sum += mix(uint64(x)<<32 | uint64(bits32(f.f(f32(x)))))
					if x&0xffff == 0xffff {
						break
					}
				}
			}
			return sum
		})
	}
	for set, f := range sets {
		offset += compare(t, f.name, offset, parts, []int{0, 63}, func(part int) uint64 {
			var sum uint64
			for i := uint64(part) << 20; i < uint64(part+1)<<20; i++ {
				sum += mix(f.f(mix(i+uint64(set)<<32)) ^ mix(i))
			}
			return sum
		})
	}
	for _, f := range reciprocals {
		// 1 to 4, subnormal, largest, infinite and NaN, negative.
		some := []int{0x3ff, 0x400, 0, 1, 0x7fd, 0x7fe, 0x7ff, 0x800, 0xbff, 0xfff}
		offset += compare(t, f.name, offset, highs, some, func(part int) uint64 {
			var sum uint64
			for i := range uint32(1 << 20) {
				h := uint64(uint32(part)<<20 | i)
				sum += mix(bits64(f.f(f64(h<<32|mix(h)&math.MaxUint32))) ^ mix(h))
			}
			return sum
		})
	}
	assert.Len(t, h200, offset)
}

func BenchmarkFunctions(b *testing.B) {
	for _, f := range functions {
		b.Run(f.name, func(b *testing.B) {
			var sum float32
			for i := range b.N {
				sum += f.f(float32(i&0xffff+1) * 0x1p-17)
			}
			_ = fmt.Sprint(sum)
		})
	}
	for _, f := range sets {
		b.Run(f.name, func(b *testing.B) {
			var sum uint64
			for i := range b.N {
				sum += f.f(mix(uint64(i)))
			}
			_ = fmt.Sprint(sum)
		})
	}
}
