package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The shards of an output, one behind another, are the output of a single run:
// wherever it starts in a block, and for more shards than there are blocks too.
func TestShardsJoinToTheWhole(t *testing.T) {
	for _, d := range dists {
		for _, c := range []struct {
			n, shards int
			first     string
		}{
			{1003, 7, "2"},
			{100_003, 7, "0"}, {100_003, 7, "1"}, {100_003, 3, "18446744073709551615"}, {700_021, 7, "0"},
			{100_003, 1, "3"}, {5, 7, "3"}, {0, 2, "1"}, {1, 3, "3"}, {4, 2, "2"},
		} {
			if c.n > 2000 && !isModel(d) {
				continue
			}
			dir := t.TempDir()
			args := append(fillOf(d), "-n", fmt.Sprint(c.n), "-first", c.first, "-seed", "42")
			whole := runs(t, append(args, "-out", "-")...)
			require.Len(t, whole, c.n*int(d.size))
			var raw, numbers, piped []byte
			for i := range c.shards {
				shard := append(args, "-shard", fmt.Sprintf("%d/%d", i, c.shards), "-out")
				runs(t, append(shard, filepath.Join(dir, "x-%d.bin"))...)
				runs(t, append(shard, filepath.Join(dir, "one.npy"))...)
				piped = append(piped, runs(t, append(shard, "-")...)...)
				part := readFile(t, filepath.Join(dir, fmt.Sprintf("x-%d.bin", i)))
				raw = append(raw, part...)
				npy := readFile(t, filepath.Join(dir, "one.npy"))
				header := npyHeader(d.descr, uint64(len(part))/d.size)
				require.True(t, bytes.HasPrefix(npy, header), "%s: the header counts the shard's own numbers", d.name)
				numbers = append(numbers, npy[len(header):]...)
			}
			for name, got := range map[string][]byte{".bin": raw, ".npy": numbers, "-": piped} {
				same(t, whole, got, d.name, c.n, c.shards, c.first, name)
			}
		}
	}
}

func TestShardsAreCutAtBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		perBlock := uint64(1) << r.IntN(5)
		before := r.Uint64N(perBlock)
		count := 1 + r.Uint64N(20)
		n := r.Uint64N(1 << (1 + r.IntN(12)))
		at, shortest, longest := uint64(0), uint64(math.MaxUint64), uint64(0)
		for i := range count {
			from, size := shard{i, count}.cut(before, n, perBlock)
			require.Equal(t, at, from, "no gap and no overlap")
			blocks := uint64(0)
			if size > 0 {
				first, last := (before+from)/perBlock, (before+from+size-1)/perBlock
				require.True(t, from == 0 || (before+from)%perBlock == 0, "begins with a block")
				blocks = last - first + 1
			}
			shortest, longest = min(shortest, blocks), max(longest, blocks)
			at += size
		}
		require.Equal(t, n, at)
		require.LessOrEqual(t, longest-shortest, uint64(1))
	}
}

// Where outputs are cut never changes: a shard that was lost may be made again by
// another version.
func TestShardsStayWhereTheyAre(t *testing.T) {
	for _, c := range []struct {
		before, n, perBlock, shards uint64
		want                        []uint64 // where each begins, and the end
	}{
		{0, 100_003, 4, 7, []uint64{0, 14288, 28576, 42864, 57152, 71436, 85720, 100_003}},
		{3, 100_003, 4, 3, []uint64{0, 33333, 66669, 100_003}},
		{1, 9, 2, 4, []uint64{0, 3, 5, 7, 9}},
		{3, 2, 4, 4, []uint64{0, 1, 2, 2, 2}},
	} {
		var got []uint64
		for i := range c.shards {
			from, count := shard{i, c.shards}.cut(c.before, c.n, c.perBlock)
			got = append(got, from)
			if i == c.shards-1 {
				got = append(got, from+count)
			}
		}
		assert.Equal(t, c.want, got)
	}
}

func TestShardsOfTheLargestOutput(t *testing.T) {
	const n = math.MaxInt64 / 4
	for _, count := range []uint64{1, 2, 7, 1 << 62, math.MaxUint64} {
		from, size := shard{0, count}.cut(3, n, 4)
		assert.Zero(t, from)
		assert.NotZero(t, size)
		from, size = shard{count - 1, count}.cut(3, n, 4)
		assert.Equal(t, uint64(n), from+size)
	}
	from, size := shard{1, 2}.cut(0, n, 4)
	assert.Zero(t, from%4)
	assert.InDelta(t, float64(n/2), float64(size), 8)
}

// in calls the program in an environment of the given variables alone.
func in(environment map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	e := env{&out, &err, createFile, func(name string) (string, bool) {
		v, set := environment[name]
		return v, set
	}}
	return runIn(context.Background(), args, e), out.String(), err.String()
}

// vars makes an environment of NAME=value words.
func vars(words string) map[string]string {
	m := map[string]string{}
	for _, w := range strings.Fields(words) {
		name, value, _ := strings.Cut(w, "=")
		m[name] = value
	}
	return m
}

const (
	torchVars = " RANK=1 WORLD_SIZE=11 LOCAL_RANK=0"
	mpiVars   = " OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=12"
	stepVars  = " SLURM_PROCID=3 SLURM_STEP_NUM_TASKS=13 SLURM_NTASKS=99"
	arrayVars = " SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=14 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=13"
	kubeVars  = " JOB_COMPLETION_INDEX=5"
)

func TestShardFromTheEnvironment(t *testing.T) {
	for _, c := range []struct{ shard, vars, want, says string }{
		{"auto", torchVars + mpiVars + stepVars + arrayVars + kubeVars, "1/11", `torchrun: RANK = "1", WORLD_SIZE = "11"`},
		{"auto", mpiVars + stepVars + arrayVars + kubeVars, "2/12", `Open MPI: OMPI_COMM_WORLD_RANK = "2", OMPI_COMM_WORLD_SIZE = "12"`},
		{"auto", stepVars + arrayVars + kubeVars, "3/13", `a Slurm step: SLURM_PROCID = "3", SLURM_STEP_NUM_TASKS = "13"`},
		{"auto", arrayVars + kubeVars, "4/14", `a Slurm array: SLURM_ARRAY_TASK_ID = "4", SLURM_ARRAY_TASK_COUNT = "14"`},
		{"auto/15", kubeVars, "5/15", `a Kubernetes indexed job: JOB_COMPLETION_INDEX = "5", 15 given`},
		{"auto/11", torchVars, "1/11", `WORLD_SIZE = "11"`},
		{"auto/12", mpiVars, "2/12", "Open MPI"},
		{"auto/13", stepVars, "3/13", "SLURM_STEP_NUM_TASKS"},
		{"auto", "RANK=0 WORLD_SIZE=1", "0/1", "torchrun"},
		{"auto", "RANK= WORLD_SIZE=" + mpiVars, "2/12", "Open MPI"}, // empty is not set
		{"auto/3", "RANK=2", "2/3", `RANK = "2", 3 given`},
		{"auto", "SLURM_PROCID=2 SLURM_NTASKS=5", "2/5", `SLURM_NTASKS = "5"`},
		{"auto", "SLURM_PROCID=2 SLURM_NTASKS=5 SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=9", "2/5", "a Slurm step"},
		{"auto", "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=5" + arrayVars, "0/5", "a Slurm step"},
		{"auto", "SLURM_JOB_ID=9 SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=5 SLURM_NTASKS=5", "0/5", "a Slurm step"},
		{"auto", "SLURM_JOB_ID=9 SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_NTASKS=5", "0/5", "a Slurm step"},
		{"auto", "SLURM_JOB_ID=9 SLURM_PROCID=0 SLURM_NTASKS=1", "0/1", "a Slurm step"},
		{"auto", "SLURM_PROCID=0 SLURM_NTASKS=5", "0/5", "a Slurm step"},
		// The script of an array, and a step of one task in it.
		{"auto", "SLURM_PROCID=0 SLURM_NTASKS=5" + arrayVars, "4/14", "a Slurm array"},
		{"auto", "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1" + arrayVars, "4/14", "a Slurm array"},
		// One task of an array, submitted again.
		{"auto/14", "SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_MAX=4", "4/14", "14 given"},
		{"auto", "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=2", "1/2", "a Slurm array"},
	} {
		t.Run(c.shard+" "+c.vars, func(t *testing.T) {
			dir := t.TempDir()
			args := []string{"fill", "-n", "1000", "-seed", "7", "-out"}
			code, stdout, stderr := in(vars(c.vars), append(args, filepath.Join(dir, "x-%d.bin"), "-shard", c.shard)...)
			require.Zero(t, code, stderr)
			assert.Empty(t, stdout)
			index, count, _ := strings.Cut(c.want, "/")
			assert.Contains(t, stderr, fmt.Sprintf("philox fill: shard %s of %s (", index, count))
			assert.Contains(t, stderr, c.says)
			assert.Contains(t, stderr, "x-"+index+".bin")
			assert.Equal(t, []string{"x-" + index + ".bin"}, files(t, dir))
			same(t, runs(t, append(args, "-", "-shard", c.want)...), readFile(t, filepath.Join(dir, "x-"+index+".bin")))
		})
	}
}

func TestBadShards(t *testing.T) {
	for _, c := range []struct {
		shard, vars string
		says        []string
	}{
		{"3/2", "", []string{`-shard = "3/2"`, `index is "3"`, "from 0 to 1"}},
		{"2/2", "", []string{`-shard = "2/2"`, `index is "2"`}},
		{"-1/4", "", []string{`-shard = "-1/4"`, `index is "-1"`, "from 0 to 3"}},
		{"0/0", "", []string{`-shard = "0/0"`, `number of shards is "0"`}},
		{"1/-4", "", []string{`number of shards is "-4"`}},
		{"0/18446744073709551616", "", []string{`number of shards is "18446744073709551616"`}},
		{"", "", []string{`-shard = ""`, "i/k", "auto"}},
		{"3", "", []string{`-shard = "3"`, "i/k"}},
		{"1/2/3", "", []string{`number of shards is "2/3"`}},
		{"/3", "", []string{`index is ""`}},
		{"Auto", "", []string{`-shard = "Auto"`}},
		{"auto/0", torchVars, []string{`-shard = "auto/0"`, `number of shards is "0"`}},
		{"auto/x", torchVars, []string{`number of shards is "x"`}},
		{"auto", "", []string{"no rank", "RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID", "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"}},
		{"auto/4", "", []string{"no rank"}},
		{"auto", "WORLD_SIZE=4 SLURM_NTASKS=8", []string{"no rank", `WORLD_SIZE = "4"`, `SLURM_NTASKS = "8"`}},
		{"auto", "RANK= WORLD_SIZE=4", []string{"no rank", `RANK = ""`}},
		{"auto", "RANK=1", []string{`RANK = "1"`, "WORLD_SIZE", "not set", "auto/k"}},
		{"auto", "RANK=1 WORLD_SIZE=0", []string{`WORLD_SIZE = "0"`}},
		{"auto", "RANK=0 WORLD_SIZE=-3", []string{`WORLD_SIZE = "-3"`}},
		{"auto", "RANK=4 WORLD_SIZE=4", []string{`RANK = "4"`, `WORLD_SIZE = "4"`}},
		{"auto", "RANK=-1 WORLD_SIZE=4", []string{`RANK = "-1"`}},
		{"auto", "RANK=one WORLD_SIZE=4", []string{`RANK = "one"`}},
		{"auto/5", torchVars, []string{`WORLD_SIZE = "11"`, "5"}},
		{"auto", "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=0", []string{`OMPI_COMM_WORLD_SIZE = "0"`}},
		{"auto", "OMPI_COMM_WORLD_RANK=7 OMPI_COMM_WORLD_SIZE=3", []string{`OMPI_COMM_WORLD_RANK = "7"`, `OMPI_COMM_WORLD_SIZE = "3"`}},
		{"auto", "SLURM_PROCID=1", []string{`SLURM_PROCID = "1"`, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}},
		{"auto", "SLURM_PROCID=1 SLURM_NTASKS=0", []string{`SLURM_NTASKS = "0"`}},
		{"auto", "SLURM_JOB_ID=9 SLURM_PROCID=0 SLURM_NTASKS=5", []string{`SLURM_PROCID = "0"`, `SLURM_NTASKS = "5"`, "srun"}},
		{"auto", "JOB_COMPLETION_INDEX=2", []string{`JOB_COMPLETION_INDEX = "2"`, "auto/k"}},
		{"auto/2", "JOB_COMPLETION_INDEX=2", []string{`JOB_COMPLETION_INDEX = "2"`, "from 0 to 1"}},
		{"auto", "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=0", []string{`SLURM_ARRAY_TASK_COUNT = "0"`}},
		{"auto", "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=2", []string{`SLURM_ARRAY_TASK_ID = "2"`}},
		// Arrays whose count says nothing about the number of shards.
		{"auto", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=1", []string{`SLURM_ARRAY_TASK_COUNT = "1"`, "auto/k"}},
		{"auto", "SLURM_ARRAY_TASK_ID=1 SLURM_ARRAY_TASK_COUNT=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=7",
			[]string{`SLURM_ARRAY_TASK_MIN = "1"`, "--array=0-6"}},
		{"auto", "SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=5",
			[]string{`SLURM_ARRAY_TASK_MAX = "5"`}},
	} {
		t.Run(c.shard+" "+c.vars, func(t *testing.T) {
			dir := t.TempDir()
			code, stdout, stderr := in(vars(c.vars), "fill", "-n", "9", "-out", filepath.Join(dir, "x-%d.bin"), "-shard", c.shard)
			assert.Equal(t, 2, code)
			assert.Empty(t, stdout)
			for _, s := range c.says {
				assert.Contains(t, stderr, s)
			}
			assert.Empty(t, files(t, dir))
		})
	}
}

func TestShardOut(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ out, want string }{
		{"a-%d.bin", "a-7.bin"},
		{"b-%03d.npy", "b-007.npy"},
		{"c%%%d-%d.bin", "c%%7-7.bin"}, // a percent sign is one
		{"d%5d%s.bin", ""},
		{"e.bin", ""},
		{"f-%00d.bin", ""},
	} {
		args := []string{"fill", "-n", "9", "-out", filepath.Join(dir, c.out), "-shard"}
		if c.want == "" {
			code, _, stderr := in(vars("RANK=7 WORLD_SIZE=8"), append(args, "auto")...)
			assert.Equal(t, 2, code, c.out)
			assert.Contains(t, stderr, "-out = ", c.out)
			assert.Contains(t, stderr, c.out, "%d")
			c.want = c.out // named by hand it is fine
		}
		runs(t, append(args, "7/8")...)
		assert.FileExists(t, filepath.Join(dir, c.want))
	}
	// Ranks on one standard output would mix.
	code, stdout, stderr := in(vars("RANK=7 WORLD_SIZE=8"), "fill", "-n", "9", "-out", "-", "-shard", "auto")
	assert.Equal(t, 2, code)
	assert.Empty(t, stdout)
	assert.Contains(t, stderr, `-out = "-"`)
	// A name for shards without one is a -shard that was forgotten.
	assert.Contains(t, fails(t, 2, "fill", "-n", "9", "-out", filepath.Join(dir, "g-%d.bin")), "-shard")
	assert.NoFileExists(t, filepath.Join(dir, "g-%d.bin"))
}
