package mufu

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBinades compares all 2^23 results of a binade, or of a quarter of a turn, with the SHA-256 of those
// measured on an H200, as little-endian float32.
func TestBinades(t *testing.T) {
	// scaled is f of 2^e * (1 + t/2^23), times sign.
	scaled := func(f func(float32) float32, e int, sign float32) func(t uint32) float32 {
		return func(t uint32) float32 { return f(sign * f32(uint32(127+e)<<23|t)) }
	}
	tests := []struct {
		name string
		f    func(t uint32) float32
		want string
	}{
		{"sine of a quarter", sine, "57676af4861bf1ab7f9ee4cb0875a4e1abb7725e77fa0016a38c8a233c875ce6"},
		{"lg2 of [1,2)", scaled(Lg2, 0, 1), "7fd9be9a924e40a0ee18ba20e7f5158135112947597c8dd86131d3d4d8f9dbfa"},
		{"lg2 of [1/2,1)", scaled(Lg2, -1, 1), "883e42d8f751983063b4c93a966fba006f08c1e111d90fe20e0fee3dd67ddd22"},
		{"lg2 of [2^-31,2^-30)", scaled(Lg2, -31, 1), "17609b51515a8fa9f8d662b0b6b83b5fb15f63a25750a9f66ebc23e12294f582"},
		{"ex2 of [1,2)", scaled(Ex2, 0, 1), "cce5df10202dbfcde720ca547d147edb3e2a406a5fed189323f419177a72a1a5"},
		{"ex2 of (-2,-1]", scaled(Ex2, 0, -1), "503d2238b9f4c00e8686f80a703dd13d365554f2887c7279a7b438f642aceab3"},
		{"rcp of [1,2)", scaled(Rcp, 0, 1), "c408381446132e07fa5581e930dc33fb790bea7ec4276ef3621e322df2492a55"},
		{"rsqrt of [1,2)", scaled(Rsqrt, 0, 1), "c733e1437c713cd7e87f4c7e52e9aab270b2107f274cda35309dc8586ad6ec22"},
		{"rsqrt of [2,4)", scaled(Rsqrt, 1, 1), "fd7b866f4085a9e88ef6abdd9ba2726eb26708fb17d173619dac4405acb06bc0"},
		{"sqrt of [1,2)", scaled(Sqrt, 0, 1), "dc6925bfdd56d604760414da31328a657d4585a92e6285b7106eea847b864ab1"},
		{"sqrt of [2,4)", scaled(Sqrt, 1, 1), "ffc55416e1586610267a0adf5b3a14983317cc4bfeac3272c865098345f56199"},
	}
	if testing.Short() || raceEnabled {
		tests = tests[:2]
	}
	parallel(len(tests), func(i int) {
		test := tests[i]
		h := sha256.New()
		part := make([]byte, 4<<12)
		for t := range uint32(1 << 23) {
			at := t & (1<<12 - 1)
			binary.LittleEndian.PutUint32(part[4*at:], math.Float32bits(test.f(t)))
			if at == 1<<12-1 {
				h.Write(part)
			}
		}
		assert.Equal(t, test.want, hex.EncodeToString(h.Sum(nil)), test.name)
	})
}

// same fails where got and want differ in a bit, unless both are NaN.
func same(t *testing.T, want, got float64, x any) {
	t.Helper()
	assert.Equal(t, bits64(want), bits64(got), "of %v: got %v, want %v", x, got, want)
}

// TestEdges has the values at the ends of domains, which an H200 gave, for float32.
func TestEdges(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	const (
		least = 0x1p-149 // the smallest number
		sub   = 0x1p-127 // subnormal
		norm  = 0x1p-126
		most  = math.MaxFloat32
	)
	tests := []struct {
		name string
		f    func(float32) float32
		want []float64 // arguments and results in turn
	}{
		{"Sin", Sin, []float64{0, 0, zero, zero, least, 0, -sub, zero, norm, 0, -norm, zero, 0x1p-24, 0,
			most, 0, -most, zero, inf, nan, -inf, nan, nan, nan}},
		{"Cos", Cos, []float64{0, 1, zero, 1, sub, 1, most, 1, inf, nan, -inf, nan, nan, nan}},
		{"Lg2", Lg2, []float64{0, -inf, zero, -inf, sub, -inf, -sub, -inf, norm, -125.99999, 0.5, -0.9999999, 1, 0, 2, 1,
			-1, nan, -norm, nan, inf, inf, -inf, nan, nan, nan}},
		{"Ex2", Ex2, []float64{0, 1, zero, 1, -sub, 1, -0x1p-24, 1, 1, 2, -1, 0.5, 127, 0x1p127, 128, inf, -126, norm,
			-126.5, 0, -127, 0, inf, inf, -inf, 0, nan, nan}},
		{"Rcp", Rcp, []float64{0, inf, zero, -inf, sub, inf, -sub, -inf, norm, 0x1p126, 1, 1, -2, -0.5, 0x1p126, norm,
			0x1.000002p126, 0, -most, zero, inf, 0, -inf, zero, nan, nan}},
		{"Rsqrt", Rsqrt, []float64{0, inf, zero, -inf, sub, inf, -sub, -inf, norm, 0x1p63, 1, 1, 4, 0.5, -1, nan, inf, 0,
			-inf, nan, nan, nan}},
		{"Sqrt", Sqrt, []float64{0, 0, zero, zero, sub, 0, -sub, zero, norm, 0x1p-63, 1, 1, 4, 2, -1, nan, inf, inf,
			-inf, nan, nan, nan}},
		{"FastLog", FastLog, []float64{0, -inf, zero, -inf, 1, 0, -1, nan, -least, nan, inf, inf, nan, nan}},
		{"FastExp", FastExp, []float64{0, 1, zero, 1, 89, inf, -104, 0, -200, 0, inf, inf, -inf, 0, nan, nan}},
		{"FastTan", FastTan, []float64{0, 0, zero, zero, inf, nan, nan, nan}},
		{"Logf", Logf, []float64{0, -inf, zero, -inf, 1, 0, -1, nan, -least, nan, inf, inf, -inf, nan, nan, nan}},
		{"Expf", Expf, []float64{0, 1, zero, 1, 89, inf, -104, 0, inf, inf, -inf, 0, nan, nan}},
		{"Log1pf", Log1pf, []float64{0, 0, zero, zero, least, least, -least, -least, -1, -inf, -2, nan, inf, inf, -inf, nan, nan, nan}},
		{"Erfinvf", Erfinvf, []float64{0, 0, zero, zero, 1, inf, -1, -inf, 1.5, nan, inf, nan, nan, nan}},
		{"Sinf", Sinf, []float64{0, 0, zero, zero, least, least, inf, nan, -inf, nan, nan, nan}},
		{"Cosf", Cosf, []float64{0, 1, zero, 1, least, 1, inf, nan, -inf, nan, nan, nan}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Zero(t, len(test.want)%2)
			for i := 0; i < len(test.want); i += 2 {
				x := test.want[i]
				same(t, float64(float32(test.want[i+1])), float64(test.f(float32(x))), x)
			}
		})
	}
}

// TestEdges64 is TestEdges for float64.
func TestEdges64(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	const (
		least = 0x1p-1074
		sub   = 0x1p-1023
		norm  = 0x1p-1022
		most  = math.MaxFloat64
	)
	sin := func(x float64) float64 { s, _ := Sincospi(x); return s }
	cos := func(x float64) float64 { _, c := Sincospi(x); return c }
	tests := []struct {
		name string
		f    func(float64) float64
		want []float64
	}{
		{"Rcp64", Rcp64, []float64{0, inf, zero, -inf, sub, inf, 1, 1, -2, -0.5, most, 0, inf, 0, -inf, zero, nan, nan}},
		{"Rsqrt64", Rsqrt64, []float64{0, inf, zero, -inf, sub, inf, 1, 1, 4, 0.5, -1, nan, inf, 0, -inf, nan, nan, nan}},
		{"Exp", Exp, []float64{0, 1, zero, 1, 710, inf, -746, 0, inf, inf, -inf, 0, nan, nan}},
		{"Log", Log, []float64{0, -inf, zero, -inf, 1, 0, -1, nan, -least, nan, inf, inf, -inf, nan, nan, nan}},
		{"Log1p", Log1p, []float64{0, 0, zero, zero, least, least, -1, -inf, -2, nan, inf, inf, -inf, nan, nan, nan}},
		{"Tan", Tan, []float64{0, 0, zero, zero, least, least, inf, nan, -inf, nan, nan, nan}},
		{"Erfinv", Erfinv, []float64{0, 0, zero, zero, 1, inf, -1, -inf, 1.5, nan, -inf, nan, nan, nan}},
		{"Sinpi", sin, []float64{0, 0, zero, zero, 0.5, 1, 1, 0, -1, zero, 1.5, -1, most, 0, inf, nan, nan, nan}},
		{"Cospi", cos, []float64{0, 1, zero, 1, 0.5, 0, 1, -1, 1.5, 0, most, 1, inf, nan, nan, nan}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for i := 0; i < len(test.want); i += 2 {
				same(t, test.want[i+1], test.f(test.want[i]), test.want[i])
			}
		})
	}
}

func TestFastDivide(t *testing.T) {
	for _, test := range []struct{ x, y, want float32 }{
		{6, 2, 3},
		{1, 0x1p-127, 0x1p127}, // subnormal, as all code that is compiled without -ftz=true has it
		{1, 0x1.8p126, 0},      // the reciprocal is flushed
		{1, 0, float32(math.Inf(1))},
		{1, float32(math.Copysign(0, -1)), float32(math.Inf(-1))},
		{1, float32(math.Inf(1)), 0},
		{0, 0, nan},
	} {
		same(t, float64(test.want), float64(FastDivide(test.x, test.y)), test)
	}
}

// TestH200IsVaried makes sure that no sum is missing from the file.
func TestH200IsVaried(t *testing.T) {
	assert.Zero(t, bytes.Count(h200, make([]byte, 8)))
}
