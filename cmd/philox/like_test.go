package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Everything that fill draws for another system is one of that system's operators, and each
// type's part of an output is the same as the whole's.
func TestLike(t *testing.T) {
	for _, s := range []struct {
		like  string
		dists []likeDist
	}{{"torch:132x2048", torchDists}, {"torch:1x512", torchDists}, {"curand", curandDists}, {"curand:dynamic:h200", curandDists}, {"curand:device", deviceDists}} {
		t.Run(s.like, func(t *testing.T) {
			for _, d := range s.dists {
				args := []string{"fill", "-like", s.like, "-dist", d.name, "-seed", "77", "-offset", "8", "-out", "-"}
				if d.whole {
					args = append(args, "-lo", "3", "-hi", "100")
				}
				const n = 5000
				whole := runs(t, append(args, "-n", fmt.Sprint(n))...)
				assert.Len(t, whole, n*int(d.size), d.name)
				// The last of a call for as many.
				tail := runs(t, append(args, "-first", "1234", "-n", fmt.Sprint(n-1234))...)
				same(t, whole[1234*d.size:], tail, s.like, d.name)
				var joined []byte
				for i := range 3 {
					joined = append(joined, runs(t, append(args, "-n", fmt.Sprint(n), "-shard", fmt.Sprintf("%d/3", i))...)...)
				}
				same(t, whole, joined, s.like, d.name)
				same(t, whole, runs(t, append(args, "-n", fmt.Sprint(n), "-threads", "3")...), s.like, d.name)
				other := runs(t, append(args, "-n", fmt.Sprint(n), "-seed", "78")...)
				assert.NotEqual(t, whole, other, d.name)
			}
		})
	}
}

// Several chunks.
func TestLongLike(t *testing.T) {
	args := []string{"fill", "-like", "torch:132x2048", "-dist", "uniform", "-seed", "7", "-n", fmt.Sprint(2*likeChunkBytes/4 + 5), "-out", "-"}
	want := runs(t, append(args, "-threads", "1")...)
	same(t, want, runs(t, append(args, "-threads", "3")...))
	dir := t.TempDir()
	npy := filepath.Join(dir, "x.npy")
	args[len(args)-1] = npy
	runs(t, args...)
	same(t, append(npyHeader("<f4", 2*likeChunkBytes/4+5), want...), readFile(t, npy))
}

// Numbers that PyTorch and cuRAND gave on an H200.
func TestLikeKnownAnswers(t *testing.T) {
	for _, c := range []struct {
		args string
		want any
	}{
		// torch.manual_seed(42); torch.rand(6, device="cuda"), as its users have published it
		// to four digits.
		{"-like torch:h200 -dist int -lo 0 -hi 10 -seed 42 -n 10", []int64{3, 9, 8, 0, 3, 7, 2, 6, 8, 1}},
		{"-like torch:h200 -dist int -lo 0 -hi 10 -seed 0 -n 10", []int64{1, 7, 1, 2, 3, 4, 3, 3, 2, 3}},
		{"-like curand:device -dist u32 -seed 0 -n 4", []uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{"-like curand -dist u32 -seed 0 -n 4", []uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{"-like curand:device -dist u32 -seed 0 -stream 1 -n 4", []uint32{0x844515e1, 0xf08d6eaa, 0x0f19c053, 0x83f875f0}},
	} {
		got := runs(t, append(strings.Fields("fill "+c.args), "-out", "-")...)
		assert.Equal(t, serialise(t, c.want), got, c.args)
	}
}

func TestBadLike(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, says string }{
		{"-like torch", `-like = "torch": the card must be`},
		{"-like torch:", `-like = "torch:": the card must be`},
		{"-like torch:potato", `-like = "torch:potato": the card must be`},
		{"-like torch:potato", "132x2048"},
		{"-like torch:0x2048", `-like = "torch:0x2048": `},
		{"-like potato", `-like = "potato": must be torch:CARD, curand, curand:best, curand:legacy, curand:dynamic:CARD or curand:device`},
		{"-like curand:potato", `-like = "curand:potato": must be torch:CARD`},
		{"-like curand:dynamic", `-like = "curand:dynamic": the card must be`},
		{"-like curand:device:h200", "must be torch:CARD"},
		{"-like ", `must be torch:CARD`},
		{"-like torch:h200 -dist laplace", `-dist = "laplace": must be one of uniform, uniform64`},
		{"-like curand -dist int -hi 7", `-dist = "int": must be one of u32, uniform, uniform64, normal`},
		{"-like torch:h200 -offset 3", `-offset = "3": must be`},
		{"-like torch:h200 -stream 1", `-stream = "1": -like torch:h200 has none`},
		{"-like curand -stream 1", `-stream = "1": -like curand has none`},
		{"-like torch:h200 -device cuda:0", `-device = "cuda:0": -like makes its numbers on the CPU alone`},
		{"-like torch:h200 -dist normal -rate 2", `-rate = "2": -dist normal does not take it`},
		{"-like torch:h200 -dist normal -std -1", `-std = "-1": `},
		{"-like torch:h200 -dist exponential -rate 0", `-rate = "0": `},
		{"-like torch:h200 -dist uniform -lo 2 -hi 1", `2`},
		{"-like torch:h200 -dist int", "-hi is missing"},
		{"-like torch:h200 -dist uint8 -hi 300", `-hi = "300": `},
		{"-like torch:h200 -dist int -lo 5 -hi 5", `5`},
		{"-like torch:h200 -dist bernoulli -p 2", `-p = "2": `},
		{"-like torch:h200 -first 18446744073709551615", `-first = "18446744073709551615": `},
	} {
		args := []string{"fill", "-n", "10", "-out", "x.bin"}
		for field := range strings.SplitSeq(c.args, " ") {
			args = append(args, field)
		}
		said := fails(t, 2, args...)
		assert.Contains(t, said, c.says, c.args)
		assert.Empty(t, files(t, "."), c.args)
	}
}
