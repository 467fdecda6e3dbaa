package curand

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mixed goes through everything with one state: what it keeps, which kinds share, and skips.
func mixed(s *State) (v []float64) {
	p := func(x ...float64) { v = append(v, x...) }
	f := func(x float32) { p(float64(x)) }
	f(s.Normal())
	f(s.LogNormal(0.1, 0.3))
	f(s.Normal())
	f(s.Normal())
	f(s.LogNormal(0.1, 0.3))
	f(s.LogNormal(5, 7))
	f(s.Normal())
	f(s.Uniform())
	p(s.NormalDouble(), s.LogNormalDouble(0.1, 0.3))
	f(s.Normal())
	p(s.LogNormalDouble(5, 7), s.NormalDouble())
	s.Skipahead(5)
	p(s.NormalDouble(), float64(s.Poisson(5000)), s.NormalDouble(), float64(s.Uint32()))
	s.SkipaheadSequence(3)
	f(s.Normal())
	p(s.UniformDouble())
	n := s.Normal4()
	f(n[0])
	f(n[3])
	f(s.Normal())
	w := s.Uint32x4()
	p(float64(w[0]), float64(w[3]), float64(s.Poisson(3.5)), float64(s.Poisson(500)))
	d := s.Normal2Double()
	p(d[0], d[1], s.LogNormalDouble(0.1, 0.3))
	k := s.Poisson4(70.5)
	p(float64(k[0]), float64(k[1]), float64(s.Uint32()))
	return v
}

// Device functions, recorded on an H200: a line has a function, values of a call, seed, subsequence of
// thread 0, offset, threads, calls, two parameters, an error and where the values are, all as
// float64.
func TestDevice(t *testing.T) {
	bin := readZipped(t, "testdata/device.bin.gz")
	txt, err := os.ReadFile("testdata/device.txt")
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(txt)), "\n")
	require.Greater(t, len(lines), 80)
	for _, line := range lines {
		var name string
		var per, seed, sub, offset, threads, calls uint64
		var a, b float64
		var failed, at, n int
		_, err := fmt.Sscanf(line, "%s %d %d %d %d %d %d %g %g %d %d:%d", &name, &per, &seed, &sub, &offset, &threads, &calls, &a, &b, &failed, &at, &n)
		require.NoError(t, err, line)
		require.Zero(t, failed, line)
		if name == "curand4" {
			name = "device_curand4"
		} else if name != "mix" {
			name = "device_" + name
		}
		var got []float64
		for i := range threads {
			if name == "mix" {
				s := Init(seed, sub+i, offset)
				for range calls {
					got = append(got, mixed(&s)...)
				}
				continue
			}
			o := Output{Op: name, Seed: seed, Subsequence: sub + i, Offset: offset, Mean: a, Std: b, Lambda: []float64{a}}
			got = append(got, asFloats(t, o, calls*per)...)
		}
		require.Len(t, got, n, line)
		want := make([]float64, n)
		for i := range want {
			want[i] = math.Float64frombits(binary.LittleEndian.Uint64(bin[8*(at+i):]))
		}
		assert.Equal(t, want, got, line)
	}
}

// asFloats are values of an output of any type.
func asFloats(t *testing.T, o Output, n uint64) []float64 {
	op, err := FindOp(o.Op)
	require.NoError(t, err)
	v := make([]float64, n)
	switch op.Type {
	case "uint32":
		x := make([]uint32, n)
		require.NoError(t, o.Values(x, 0, 0))
		for i := range x {
			v[i] = float64(x[i])
		}
	case "float32":
		x := make([]float32, n)
		require.NoError(t, o.Values(x, 0, 0))
		for i := range x {
			v[i] = float64(x[i])
		}
	default:
		require.NoError(t, o.Values(v, 0, 0))
	}
	return v
}
