package torch

import (
	"fmt"
	"math"
	"slices"
)

// RandPerm is torch.randperm(len(dst)): the numbers from 0 to len(dst)-1 in a random
// order. PyTorch sorts them by random keys and has those of equal keys change places
// afterwards, which is done here too. The length must not be beyond the integers that the
// type has all of, nor 2^31-1; PyTorch has no bfloat16 here.
func RandPerm[T float32 | float64 | Float16 | Integer](g *Generator, dst []T) error {
	return draw(g, dst, randPerm[T])
}

func randPerm[T float32 | float64 | Float16 | Integer](s source, n uint64) (numbers[T], error) {
	most := uint64(math.MaxInt32)
	switch any(*new(T)).(type) {
	case uint8:
		most = math.MaxUint8 + 1
	case int8:
		most = math.MaxInt8 + 1
	case int16:
		most = math.MaxInt16 + 1
	case Float16:
		most = 1<<11 + 1
	case float32:
		most = 1<<24 + 1
	}
	if n > most {
		return numbers[T]{}, bad("n", n, fmt.Sprintf("must be at most %d for %s", most, dtype[T]()))
	}
	if n == 0 {
		return numbers[T]{after: s.offset, fill: func([]T, uint64) {}}, nil
	}
	bits := keyBits(n)
	keys, after := permKeys(s, n, bits)
	island := source{s.gpu, place{s.seed, after}}
	return numbers[T]{n: n, after: after + 4*((n-1)/4+1), fill: func(dst []T, first uint64) {
		k := keys()
		perm := sortByKeys(k, bits)
		shuffleIslands(island, perm, k)
		for i, p := range perm[first:][:len(dst)] {
			castInts(dst[i:i+1], []int64{int64(p)})
		}
	}}, nil
}

// keyBits is how many bits of its keys PyTorch sorts by: so many that the keys of most
// permutations are all different.
func keyBits(n uint64) int {
	f := float64(n)
	return min(64, int(math.Ceil(math.Log2(f-(6*f*f+1)/(12*math.Log(0.9))))))
}

// permKeys returns what makes the keys, without the bits that are not sorted by, and the
// offset after them.
func permKeys(s source, n uint64, bits int) (keys func() []uint64, after uint64) {
	mask := uint64(1)<<bits - 1 // all bits if there are 64
	// The sort takes its keys for integers with a sign, if it looks at that bit.
	if bits <= 32 {
		x, _ := randint[int32](s, n, math.MinInt32, math.MaxInt32-1)
		return masked(x, mask, 1<<31&mask), x.after
	}
	x, _ := randint[int64](s, n, math.MinInt64, math.MaxInt64-1)
	return masked(x, mask, 1<<63&mask), x.after
}

func masked[T int32 | int64](x numbers[T], mask, sign uint64) func() []uint64 {
	return func() []uint64 {
		raw := make([]T, x.n)
		x.fill(raw, 0)
		keys := make([]uint64, x.n)
		for i, r := range raw {
			keys[i] = uint64(r)&mask ^ sign
		}
		return keys
	}
}

// sortByKeys sorts keys, and returns which one each was; equal ones keep their order.
func sortByKeys(keys []uint64, bits int) []int32 {
	perm := make([]int32, len(keys))
	for i := range perm {
		perm[i] = int32(i)
	}
	if len(keys) < 256 {
		from := slices.Clone(keys)
		slices.SortStableFunc(perm, func(a, b int32) int {
			switch {
			case from[a] < from[b]:
				return -1
			case from[a] > from[b]:
				return 1
			}
			return 0
		})
		for i, p := range perm {
			keys[i] = from[p]
		}
		return perm
	}
	const digit = 11
	toKeys, toPerm := make([]uint64, len(keys)), make([]int32, len(keys))
	for shift := 0; shift < bits; shift += digit {
		var at [1 << digit]int
		for _, k := range keys {
			at[k>>shift&(1<<digit-1)]++
		}
		sum := 0
		for d, n := range at {
			at[d], sum = sum, sum+n
		}
		for i, k := range keys {
			d := k >> shift & (1<<digit - 1)
			toKeys[at[d]], toPerm[at[d]] = k, perm[i]
			at[d]++
		}
		keys, toKeys, perm, toPerm = toKeys, keys, toPerm, perm
	}
	if (bits+digit-1)/digit%2 == 1 { // the caller's keys are the other array
		copy(toKeys, keys)
	}
	return perm
}

// shuffleIslands has the numbers of equal keys change places: those from i on by the words
// of thread i.
func shuffleIslands(s source, perm []int32, keys []uint64) {
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j] == keys[i] {
			j++
		}
		var w [4]uint32
		island := perm[i:j]
		for k := len(island) - 1; k > 0; k-- {
			drawn := uint64(len(island) - 1 - k)
			if drawn%4 == 0 {
				w = s.words(uint64(i), drawn/4)
			}
			r := w[drawn%4] % uint32(k+1)
			island[k], island[r] = island[r], island[k]
		}
		i = j
	}
}
