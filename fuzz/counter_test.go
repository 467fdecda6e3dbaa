package fuzz_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/skip"
)

const (
	ones32 = ^uint32(0)
	ones64 = ^uint64(0)
)

var two128 = new(big.Int).Lsh(big.NewInt(1), 128)

// pair is the number hi*2^64 + lo.
func pair(hi, lo uint64) *big.Int {
	x := new(big.Int).SetUint64(hi)
	return x.Lsh(x, 64).Add(x, new(big.Int).SetUint64(lo))
}

// counter is x mod 2^128 as a counter, word by word.
func counter(x *big.Int) (c skip.Counter) {
	x = new(big.Int).Mod(x, two128)
	for i := range c {
		w := new(big.Int).Rsh(x, uint(32*i))
		c[i] = uint32(w.Uint64())
	}
	return c
}

// FuzzCounter compares the counter's arithmetic with that of math/big.
func FuzzCounter(f *testing.F) {
	for _, hi := range []uint64{0, 1, 1<<32 - 1, 1 << 63, ones64} {
		for _, lo := range []uint64{0, 1, 1<<32 - 1, 1 << 32, ones64 - 1, ones64} {
			f.Add(hi, lo, lo, hi)
			f.Add(hi, lo, uint64(0), lo)
			f.Add(hi, lo, ones64, ones64)
		}
	}
	f.Fuzz(func(t *testing.T, chi, clo, nhi, nlo uint64) {
		c, x := skip.FromUint64s(chi, clo), pair(chi, clo)
		n, small := pair(nhi, nlo), pair(0, nlo)
		sum := counter(new(big.Int).Add(x, n))

		require.Equal(t, counter(x), c)
		require.Zero(t, x.Cmp(c.Big()))
		back, err := skip.FromBig(x)
		require.NoError(t, err)
		require.Equal(t, c, back)

		require.Equal(t, sum, c.Skip128(nhi, nlo))
		require.Equal(t, counter(new(big.Int).Sub(x, n)), c.Back128(nhi, nlo))
		require.Equal(t, counter(new(big.Int).Add(x, small)), c.Skip(nlo))
		require.Equal(t, counter(new(big.Int).Sub(x, small)), c.Back(nlo))

		dhi, dlo := c.Distance(sum)
		require.Zero(t, n.Cmp(pair(dhi, dlo)))
		require.Equal(t, x.Cmp(n), c.Compare(counter(n)))
		require.Equal(t, x.Cmp(n) < 0, c.Less(counter(n)))

		block, lane := c.SkipWords(nhi, nlo)
		words := new(big.Int).Mul(x, big.NewInt(4))
		words.Add(words, n)
		require.Equal(t, words.Bit(0)+2*words.Bit(1), uint(lane))
		require.Equal(t, counter(words.Rsh(words, 2)), block)
	})
}

// FuzzPlan checks that shards follow each other and are as equal as they can be.
func FuzzPlan(f *testing.F) {
	for _, blocks := range []uint64{0, 1, 10, 1<<32 + 1, ones64} {
		for _, shards := range []uint64{0, 1, 3, 1 << 32, ones64} {
			f.Add(blocks, shards, shards/2)
			f.Add(blocks, shards, blocks)
		}
	}
	f.Fuzz(func(t *testing.T, blocks, shards, i uint64) {
		p, err := skip.NewPlan(blocks, shards)
		if shards == 0 {
			require.Error(t, err)
			require.Zero(t, p)
			return
		}
		require.NoError(t, err)
		i %= shards
		r := p.Shard(i)
		end := r.First + r.Blocks
		require.GreaterOrEqual(t, end, r.First)
		require.Zero(t, p.Shard(0).First)
		if i == shards-1 {
			require.Equal(t, blocks, end)
		} else {
			require.Equal(t, end, p.Shard(i+1).First)
		}
		least := blocks / shards
		require.True(t, r.Blocks == least || r.Blocks == least+1 && blocks%shards != 0, "%d blocks", r.Blocks)
	})
}
