package torch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/random"
)

// A recorded array, as an index.json has it. Kind and what follows say what the name of
// some does not.
type recorded struct {
	System      string `json:"system,omitempty"`
	Name        string `json:"name"`
	N           uint64 `json:"n"`
	Seed        string `json:"seed"`
	Offset      string `json:"offset"`
	OffsetAfter string `json:"offset_after,omitempty"`
	SHA256      string `json:"sha256"`
	SMs         int    `json:"sms,omitempty"`
	Threads     int    `json:"max_threads_per_sm,omitempty"`

	Kind          string  `json:"kind,omitempty"`
	DType         string  `json:"torch_dtype,omitempty"`
	StorageOffset int     `json:"storage_offset,omitempty"`
	Base          []int   `json:"base,omitempty"`
	Shape         []int   `json:"shape,omitempty"`
	Strides       []int   `json:"strides,omitempty"`
	ViewOffset    int     `json:"view_offset,omitempty"`
	OutStrides    []int   `json:"out_strides,omitempty"`
	Mode          string  `json:"mode,omitempty"`
	Nonlinearity  string  `json:"nonlinearity,omitempty"`
	A             string  `json:"a,omitempty"`
	Gain          string  `json:"gain,omitempty"`
	Each          int     `json:"each,omitempty"`
	Seeds         int     `json:"seeds,omitempty"`
	Rows          int     `json:"rows,omitempty"`
	Columns       int     `json:"cols,omitempty"`
	K             int     `json:"k,omitempty"`
	Replacement   bool    `json:"replacement,omitempty"`
	Zero          float64 `json:"zero,omitempty"`
	PType         string  `json:"p_dtype,omitempty"`
}

// generator is where the array was drawn.
func (r recorded) generator(t *testing.T, offset uint64) *Generator {
	seed, err := strconv.ParseUint(r.Seed, 10, 64)
	require.NoError(t, err, r.Name)
	gpu := GPU{"", r.SMs, r.Threads}
	if r.SMs == 0 {
		gpu = GPU{"H200", 132, 2048}
	}
	g := NewGenerator(gpu, seed)
	require.NoError(t, g.SetOffset(offset), r.Name)
	return g
}

func hash[T Element](x []T) string {
	b := make([]byte, len(x)*size[T]())
	littleEndian(b, x)
	return hashBytes(b)
}

func hashBytes(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// A player draws what was recorded of one kind, and returns its hash.
type player func(t *testing.T, g *Generator, r recorded) string

// players are those of arrays whose name does not say everything, by type.
var players = map[string]player{
	"dropout": func(t *testing.T, g *Generator, r recorded) string {
		return byDType(t, r.Name, playDropout[float32], playDropout[float64], playDropout[Float16], playDropout[BFloat16])(t, g, r)
	},
	"view": func(t *testing.T, g *Generator, r recorded) string {
		return byDType(t, r.Name, playView[float32], playView[float64], playView[Float16], playView[BFloat16])(t, g, r)
	},
	"dropview": playDropoutView,
	"init": func(t *testing.T, g *Generator, r recorded) string {
		return byDType(t, r.DType, playInit[float32], playInit[float64], playInit[Float16], playInit[BFloat16])(t, g, r)
	},
	"multinomial": func(t *testing.T, g *Generator, r recorded) string {
		return byDType(t, r.DType, playMultinomial[float32], playMultinomial[float64], playMultinomial[Float16], playMultinomial[BFloat16])(t, g, r)
	},
	"equal": func(t *testing.T, g *Generator, r recorded) string {
		return byDType(t, r.DType, playMultinomial[float32], playMultinomial[float64], playMultinomial[Float16], playMultinomial[BFloat16])(t, g, r)
	},
	"bernoulli_p": func(t *testing.T, g *Generator, r recorded) string {
		return byDType(t, r.Name, playBernoulli[float32], playBernoulli[float64], playBernoulli[Float16], playBernoulli[BFloat16])(t, g, r)
	},
	"many":   playMany,
	"linear": playLayer,
	"alias":  playLayer,
	"state":  func(_ *testing.T, g *Generator, _ recorded) string { return hashBytes(g.State()) },
}

func byDType(t *testing.T, name string, ps ...player) player {
	for i, suffix := range floatTypes {
		if name == suffix || strings.HasSuffix(name, "_"+suffix) {
			return ps[i]
		}
	}
	t.Fatalf("no type in %s", name)
	return nil
}

func line[T Float](n int, start, end float64) []T {
	x := make([]T, n)
	if wide[T]() {
		l := linspace[float64](start, end, uint64(n))
		for i := range x {
			slice[float64](x)[i] = l(uint64(i))
		}
		return x
	}
	// In a type of 16 bits every operation of torch.linspace is rounded to it.
	a, b := float32(start), float32(end)
	step := round32[T](round32[T](b-a) / round32[T](float32(n-1)))
	if dtype[T]() == "float32" {
		l := linspace[float32](start, end, uint64(n))
		for i := range x {
			cast32(x[i:i+1], []float32{l(uint64(i))})
		}
		return x
	}
	for i := range x {
		v := a + round32[T](step*round32[T](float32(i)))
		if i >= n/2 {
			v = b - round32[T](step*round32[T](float32(n-i-1)))
		}
		cast32(x[i:i+1], []float32{v})
	}
	return x
}

func playDropout[T Float](t *testing.T, g *Generator, r recorded) string {
	n := int(r.N)
	src, kept := line[T](n, -3, 3), make([]bool, n)
	p, err := strconv.ParseFloat(strings.Split(r.Name, "_")[1], 64)
	require.NoError(t, err)
	require.NoError(t, DropoutStorage(g, src, kept, src, p, Storage{Offset: r.StorageOffset}))
	if strings.Contains(r.Name, "mask") {
		return hash(kept)
	}
	return hash(src)
}

func playView[T Float](t *testing.T, g *Generator, r recorded) string {
	n := 1
	for _, l := range r.Base {
		n *= l
	}
	v := random.View[T]{Data: make([]T, n), Offset: r.ViewOffset, Shape: r.Shape, Strides: r.Strides}
	require.NoError(t, Strided(v, func(dst []T) error {
		if strings.HasPrefix(r.Name, "normal") {
			return Normal(g, dst, 0, 1)
		}
		return Uniform(g, dst, 0, 1)
	}), r.Name)
	return hash(v.Data)
}

// playDropoutView drops elements of a view, and returns the memory of what PyTorch makes of
// it, whose dimensions are in the view's order of memory.
func playDropoutView(t *testing.T, g *Generator, r recorded) string {
	n, size := 1, 1
	for d, l := range r.Shape {
		n *= l
		size += (l - 1) * r.Strides[d]
	}
	size = max(size, 1)
	base := 1
	for _, l := range r.Base {
		base *= l
	}
	x := line[float32](base, -3, 3)
	st := Storage{Offset: r.ViewOffset, Gaps: size != n}
	// Where each element is in the view's memory and in that of the output, in the order that
	// the numbers are taken in.
	from, to := []int{r.ViewOffset}, []int{0}
	for d, l := range r.Shape {
		var f, o []int
		for j := range from {
			for i := range l {
				f, o = append(f, from[j]+i*r.Strides[d]), append(o, to[j]+i*r.OutStrides[d])
			}
		}
		from, to = f, o
	}
	if !st.Gaps {
		slices.Sort(from)
		slices.Sort(to)
	}
	src, kept := make([]float32, n), make([]bool, n)
	for i, at := range from {
		src[i] = x[at]
	}
	require.NoError(t, DropoutStorage(g, src, kept, src, 0.3, st))
	out, mask := make([]float32, n), make([]bool, n)
	for i, at := range to {
		out[at], mask[at] = src[i], kept[i]
	}
	if strings.Contains(r.Name, "mask") {
		return hash(mask)
	}
	return hash(out)
}

func playInit[T Float](t *testing.T, g *Generator, r recorded) string {
	x := make([]T, r.N)
	op := strings.Join(strings.Split(r.Name, "_")[:2], "_")
	if strings.HasPrefix(op, "xavier") {
		gain, err := strconv.ParseFloat(r.Gain, 64)
		require.NoError(t, err)
		if op == "xavier_uniform" {
			require.NoError(t, XavierUniform(g, x, r.Shape, gain))
		} else {
			require.NoError(t, XavierNormal(g, x, r.Shape, gain))
		}
		return hash(x)
	}
	slope, err := strconv.ParseFloat(r.A, 64)
	require.NoError(t, err)
	k := random.Kaiming{Slope: slope, Mode: random.FanMode(slices.Index([]string{"fan_in", "fan_out"}, r.Mode)),
		Nonlinearity: random.Nonlinearity(slices.Index([]string{"leaky_relu", "relu", "linear", "conv2d", "sigmoid", "tanh", "selu"}, r.Nonlinearity))}
	if op == "kaiming_uniform" {
		require.NoError(t, KaimingUniform(g, x, r.Shape, k))
	} else {
		require.NoError(t, KaimingNormal(g, x, r.Shape, k))
	}
	return hash(x)
}

// undecided stands for what is an error here: PyTorch gives more than one answer, or draws
// weights of 0.
const undecided = ""

// playMultinomial draws by weights that are uniform, or 0 below a limit, or all 1.
func playMultinomial[T Float](t *testing.T, g *Generator, r recorded) string {
	rows := max(r.Rows, 1)
	w := make([]T, rows*r.Columns)
	require.NoError(t, Uniform(NewGenerator(g.GPU(), 7), w, 0, 1))
	limit := r.Zero // in the weights' type, as PyTorch compares
	if !wide[T]() {
		limit = float64(round32[T](float32(r.Zero)))
	}
	one := make([]T, 1)
	require.NoError(t, Bernoulli(NewGenerator(g.GPU(), 7), one, 1))
	for i, x := range w {
		var zero T
		switch {
		case r.Kind == "equal":
			w[i] = one[0]
		case float64Of(x) < limit:
			w[i] = zero
		}
	}
	dst := make([]int64, rows*r.K)
	err := Multinomial(g, dst, w, rows, r.K, r.Replacement)
	if most := map[int]int{2: 11520, 4: 5760, 8: 2688}[size[T]()]; r.Replacement && r.K > 1 && rows == 1 && r.Columns > most {
		require.ErrorContains(t, err, "len(weights) = "+strconv.Itoa(r.Columns)+": must be at most "+strconv.Itoa(most))
		return undecided
	}
	if least := leastAbove0(w, rows); !r.Replacement && least < r.K {
		require.ErrorContains(t, err, "must be at least k")
		return undecided
	}
	require.NoError(t, err)
	return hash(dst)
}

// leastAbove0 is the least number of weights above 0 that a row has.
func leastAbove0[T Float](w []T, rows int) int {
	least := len(w)
	for row := range slices.Chunk(w, len(w)/rows) {
		n := 0
		for _, x := range row {
			if float64Of(x) > 0 {
				n++
			}
		}
		least = min(least, n)
	}
	return least
}

func playBernoulli[T Float](t *testing.T, g *Generator, r recorded) string {
	x := make([]T, r.N)
	switch r.PType {
	case "float32":
		require.NoError(t, BernoulliTensor(g, x, line[float32](len(x), 0, 1)))
	case "float64":
		require.NoError(t, BernoulliTensor(g, x, line[float64](len(x), 0, 1)))
	case "float16":
		require.NoError(t, BernoulliTensor(g, x, line[Float16](len(x), 0, 1)))
	default:
		require.NoError(t, BernoulliTensor(g, x, line[BFloat16](len(x), 0, 1)))
	}
	return hash(x)
}

// playLayer draws what torch.nn's layers start with, weights before bias, and what
// functions of another name make.
func playLayer(t *testing.T, g *Generator, r recorded) string {
	layer := func(shape []int, bias bool) string {
		fanIn := 1
		for _, l := range shape[1:] {
			fanIn *= l
		}
		w, b := make([]float32, fanIn*shape[0]), make([]float32, shape[0])
		require.NoError(t, KaimingUniform(g, w, shape, random.Kaiming{Slope: math.Sqrt(5)}))
		bound := 1 / math.Sqrt(float64(fanIn))
		require.NoError(t, Uniform(g, b, -bound, bound))
		if bias {
			return hash(b)
		}
		return hash(w)
	}
	x := make([]float32, r.N)
	switch r.Name {
	case "nn_linear_weight", "nn_linear_bias":
		return layer([]int{48, 20}, r.Name == "nn_linear_bias")
	case "nn_conv_weight", "nn_conv_bias":
		return layer([]int{16, 4, 3, 3}, r.Name == "nn_conv_bias") // of 8 channels in 2 groups
	case "nn_embedding", "torch_randn":
		require.NoError(t, Normal(g, x, 0, 1))
	case "torch_rand":
		require.NoError(t, Uniform(g, x, 0, 1))
	case "torch_randint_like":
		k := make([]int64, r.N)
		require.NoError(t, RandInt(g, k, 3, 17))
		return hash(k)
	default:
		t.Fatalf("%s is not known", r.Name)
	}
	return hash(x)
}

// playMany joins permutations of consecutive seeds, where keys are the same now and then.
func playMany(t *testing.T, g *Generator, r recorded) string {
	all := make([]int64, 0, r.N)
	for s := range r.Seeds {
		g.ManualSeed(1000 + uint64(s))
		perm := make([]int64, r.Each)
		require.NoError(t, RandPerm(g, perm))
		all = append(all, perm...)
	}
	return hash(all)
}

// requireRecorded draws every array of a list again.
func requireRecorded(t *testing.T, all []recorded, most uint64) {
	after := map[string]uint64{}
	count, wrong := 0, map[string]int{}
	for _, r := range all {
		known := r.Kind == "" || r.Kind == "native" || players[r.Kind] != nil
		if r.System != "torch" || !known || r.N > most {
			continue
		}
		first, second := strings.CutSuffix(r.Name, "_2nd")
		id := strings.Join([]string{first, r.Seed, r.Offset, strconv.FormatUint(r.N, 10)}, " ")
		offset, _ := strconv.ParseUint(r.Offset, 10, 64)
		if second {
			var ok bool
			offset, ok = after[id]
			require.True(t, ok, "%s without a first call", r.Name)
		}
		g := r.generator(t, offset)
		var got string
		if play := players[r.Kind]; play != nil {
			got = play(t, g, r)
			if after[id] = g.Offset(); got == undecided {
				continue
			}
		} else {
			n := r.N
			if first == "multinomial_k5_repFalse" && n == 50 { // of rows there
				n *= 5
			}
			f, err := Named(g, first, n)
			require.NoError(t, err, r.Name)
			b := make([]byte, f.Len()*uint64(f.Size()))
			require.NoError(t, f.Fill(b, 0))
			got = hashBytes(b)
			after[id] = f.After()
		}
		count++
		if got != r.SHA256 {
			wrong[strings.Join([]string{r.Kind, r.Name, r.DType, strconv.FormatUint(r.N, 10), fmt.Sprint(r.Rows, r.Columns, r.K, r.Replacement, r.Zero)}, " ")]++
		}
		if r.OffsetAfter != "" && !second && r.Kind != "many" && strconv.FormatUint(after[id], 10) != r.OffsetAfter {
			wrong[r.Name+": offset after"]++
		}
	}
	require.NotZero(t, count)
	t.Logf("%d arrays", count)
	for what, n := range wrong {
		t.Errorf("%d of %s differ", n, what)
	}
}

func load(t *testing.T, file string) []recorded {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var all []recorded
	require.NoError(t, json.Unmarshal(text, &all))
	return all
}

// PHILOX_VECTORS names a folder of recorded arrays, which may have folders of them.
func TestRecordedFolder(t *testing.T) {
	folder := os.Getenv("PHILOX_VECTORS")
	if folder == "" {
		folder = "testdata"
	}
	most, _ := strconv.ParseUint(os.Getenv("PHILOX_VECTORS_MOST"), 10, 64)
	if most == 0 {
		most = 1 << 40
	}
	found := 0
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "index.json" {
			return err
		}
		all := load(t, path)
		if slices.ContainsFunc(all, func(r recorded) bool { return r.System == "torch" }) {
			found++
			t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) { requireRecorded(t, all, most) })
		}
		return nil
	}))
	require.NotZero(t, found, "no index.json with arrays of PyTorch below %s", folder)
}
