package curand

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A step is a call of a host generator, or a setting, as it was recorded: a line such as
//
//	NAME STEP call uniform 300000 0 0 0 0 SHA256 0:32@1024 8192:8196@1152
//
// with the numbers of parameters, cuRAND's status, and the elements that are kept at
// places of a file.
type step struct {
	name, number, what, arg string
	n                       uint64
	mean, std               float64
	status                  string
	sum                     string
	kept                    []keptPart
}

type keptPart struct {
	part
	at int
}

func readSteps(t *testing.T, r io.Reader) (all []step) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		w := strings.Fields(lines.Text())
		require.GreaterOrEqual(t, len(w), 9, lines.Text())
		s := step{name: w[0], number: w[1], what: w[2], arg: w[3], status: w[7]}
		var err error
		s.n, err = strconv.ParseUint(w[4], 10, 64)
		require.NoError(t, err, lines.Text())
		s.mean, _ = strconv.ParseFloat(w[5], 64)
		s.std, _ = strconv.ParseFloat(w[6], 64)
		if s.what == "call" {
			s.sum = w[9]
			for _, k := range w[10:] {
				var p keptPart
				_, err := fmt.Sscanf(k, "%d:%d@%d", &p.part[0], &p.part[1], &p.at)
				require.NoError(t, err, lines.Text())
				s.kept = append(s.kept, p)
			}
		}
		all = append(all, s)
	}
	require.NoError(t, lines.Err())
	return all
}

// take does a step of a generator and returns what it made.
func (s step) take(g *Generator) (any, error) {
	f, d, u := make([]float32, s.n), []float64(nil), []uint32(nil)
	if strings.HasSuffix(s.arg, "double") {
		d = make([]float64, s.n)
	}
	switch s.arg {
	case "u32":
		u = make([]uint32, s.n)
		return u, g.Generate(u)
	case "uniform":
		return f, g.GenerateUniform(f)
	case "uniform_double":
		return d, g.GenerateUniformDouble(d)
	case "normal":
		return f, g.GenerateNormal(f, float32(s.mean), float32(s.std))
	case "normal_double":
		return d, g.GenerateNormalDouble(d, s.mean, s.std)
	case "log_normal":
		return f, g.GenerateLogNormal(f, float32(s.mean), float32(s.std))
	case "log_normal_double":
		return d, g.GenerateLogNormalDouble(d, s.mean, s.std)
	case "poisson":
		u = make([]uint32, s.n)
		return u, g.GeneratePoisson(u, s.mean)
	}
	return nil, fmt.Errorf("no call %s", s.arg)
}

// set does a setting.
func (s step) set(g *Generator) error {
	switch s.arg {
	case "seed":
		g.SetSeed(s.n)
	case "offset":
		g.SetOffset(s.n)
	case "order":
		if s.n == 0 {
			return bad("ordering", 0, orderingsThereAre) // here 0 stands for the default
		}
		return g.SetOrdering(Ordering(s.n))
	}
	return nil
}

// requireSteps takes all steps with a generator each and compares what it makes.
func requireSteps(t *testing.T, steps []step, bin []byte, gpu GPU) {
	var g *Generator
	calls, failures := 0, 0
	for i, s := range steps {
		if i == 0 || s.name != steps[i-1].name {
			g = NewGenerator()
			require.NoError(t, g.SetGPU(gpu))
		}
		if s.what == "set" {
			assert.Equal(t, s.status != "0", s.set(g) != nil, "%s %s: set %s %d: refused by one of the two", s.name, s.number, s.arg, s.n)
			continue
		}
		if s.arg == "longlong" {
			continue // refused for this type of generator
		}
		calls++
		got, err := s.take(g)
		ok := (s.status != "0") == (err != nil)
		if err == nil {
			b, err := binary.Append(nil, binary.LittleEndian, got)
			require.NoError(t, err)
			if s.sum != "-" {
				sum := sha256.Sum256(b)
				ok = ok && s.sum == hex.EncodeToString(sum[:])
			}
			size := 0
			if s.n > 0 {
				size = len(b) / int(s.n)
			}
			for _, k := range s.kept {
				part := b[int(k.part[0])*size : int(k.part[1])*size]
				ok = ok && bytes.Equal(bin[k.at:k.at+len(part)], part)
			}
		}
		if !ok {
			failures++
			assert.Fail(t, "differs", "%s %s: %s %d (%v)", s.name, s.number, s.arg, s.n, err)
		}
	}
	t.Logf("%d calls, %d differ", calls, failures)
}

func readZipped(t *testing.T, name string) []byte {
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	b, err := io.ReadAll(z)
	require.NoError(t, err)
	return b
}

// Host generators through sequences of calls on an H200.
func TestCalls(t *testing.T) {
	steps := readSteps(t, bytes.NewReader(readZipped(t, "testdata/calls.txt.gz")))
	require.Greater(t, len(steps), 3000)
	requireSteps(t, steps, readZipped(t, "testdata/calls.bin.gz"), GPU{})
}

// The dynamic ordering where cuRAND was made to believe that the GPU has other numbers of
// multiprocessors.
func TestCallsOfOtherGPUs(t *testing.T) {
	for _, n := range []int{2, 66, 108, 144} {
		t.Run(strconv.Itoa(n), func(t *testing.T) {
			name := fmt.Sprintf("testdata/calls_%d", n)
			bin, err := os.ReadFile(name + ".bin")
			require.NoError(t, err)
			txt, err := os.ReadFile(name + ".txt")
			require.NoError(t, err)
			requireSteps(t, readSteps(t, bytes.NewReader(txt)), bin, GPU{Multiprocessors: n})
		})
	}
}
