package skip_test

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/skip"
)

// plan panics rather than failing a test, so that examples and closures can use it.
func plan(blocks, shards uint64) skip.Plan {
	p, err := skip.NewPlan(blocks, shards)
	if err != nil {
		panic(err)
	}
	return p
}

// Every block is counted by hand here, so nothing rests on a formula.
func TestPlanSmallExhaustive(t *testing.T) {
	for n := range uint64(41) {
		for k := uint64(1); k <= 40; k++ {
			p := plan(n, k)
			require.Equal(t, n, p.Blocks())
			require.Equal(t, k, p.Shards())

			next, smallest, largest := uint64(0), ones64, uint64(0)
			before := ones64
			for i := range k {
				r := p.Shard(i)
				require.Equal(t, next, r.First, "n=%d k=%d shard %d: gap or overlap", n, k, i)
				require.LessOrEqual(t, r.Blocks, before, "n=%d k=%d shard %d: longer than the one before", n, k, i)
				if k > n {
					require.Equal(t, i >= n, r.Blocks == 0, "n=%d k=%d shard %d: the last shards are empty", n, k, i)
				}
				next += r.Blocks
				before = r.Blocks
				smallest, largest = min(smallest, r.Blocks), max(largest, r.Blocks)
			}
			require.Equal(t, n, next, "n=%d k=%d: blocks covered", n, k)
			require.LessOrEqual(t, largest-smallest, uint64(1), "n=%d k=%d: balance", n, k)
		}
	}
}

func TestPlanLargeAgainstBig(t *testing.T) {
	one := big.NewInt(1)
	num := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
	for _, n := range []uint64{0, 1, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, ones64 - 1, ones64} {
		for _, k := range []uint64{1, 2, 3, 7, 64, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 63, 1<<63 + 1, ones64 - 1, ones64} {
			t.Run(fmt.Sprintf("%d in %d", n, k), func(t *testing.T) {
				p := plan(n, k)

				// Shard i has as many blocks as there are j < n with j = i mod k: dealing
				// the blocks out like cards gives the same sizes, by another formula.
				size := func(i uint64) *big.Int {
					x := new(big.Int).Add(num(n), num(k))
					x.Sub(x, one).Sub(x, num(i))
					return x.Quo(x, num(k))
				}
				first := func(i uint64) *big.Int {
					q, r := new(big.Int).QuoRem(num(n), num(k), new(big.Int))
					if num(i).Cmp(r) < 0 {
						r = num(i)
					}
					return q.Mul(q, num(i)).Add(q, r)
				}

				// The ends, the middle, and the place where the shards get shorter.
				shards := map[uint64]bool{}
				for _, at := range []uint64{0, k / 3, k / 2, n % k, k - 1} {
					for _, i := range []uint64{at - 2, at - 1, at, at + 1, at + 2} {
						if i < k { // what wrapped around 0 is dropped, or is a shard like any other
							shards[i] = true
						}
					}
				}
				for i := range shards {
					r := p.Shard(i)
					require.Zero(t, first(i).Cmp(num(r.First)), "shard %d: first %d", i, r.First)
					require.Zero(t, size(i).Cmp(num(r.Blocks)), "shard %d: blocks %d", i, r.Blocks)
					end := new(big.Int).Add(num(r.First), num(r.Blocks))
					if i == k-1 {
						require.Zero(t, num(n).Cmp(end), "the last shard ends at %v", end)
					} else {
						require.Zero(t, num(p.Shard(i+1).First).Cmp(end), "shards %d and %d do not meet", i, i+1)
					}
				}
				require.Zero(t, p.Shard(0).First)
			})
		}
	}
}

func TestPlanAll(t *testing.T) {
	for _, p := range []skip.Plan{plan(0, 1), plan(10, 3), plan(3, 10), plan(ones64, 1000)} {
		next := uint64(0)
		for i, r := range p.All() {
			require.Equal(t, next, i)
			require.Equal(t, p.Shard(i), r)
			next++
		}
		require.Equal(t, p.Shards(), next)
	}
}

func TestPlanAllStops(t *testing.T) {
	seen := []skip.Range{}
	for _, r := range plan(ones64, ones64).All() {
		if seen = append(seen, r); len(seen) == 3 {
			break
		}
	}
	assert.Equal(t, []skip.Range{{First: 0, Blocks: 1}, {First: 1, Blocks: 1}, {First: 2, Blocks: 1}}, seen)
}

func TestNewPlanWithoutShards(t *testing.T) {
	for _, n := range []uint64{0, 1, ones64} {
		p, err := skip.NewPlan(n, 0)
		assert.Equal(t, skip.Plan{}, p)
		assert.EqualError(t, err, "skip: shards = 0: must be at least 1")
		var arg *skip.ArgumentError
		require.True(t, errors.As(err, &arg))
		assert.Equal(t, skip.ArgumentError{Arg: "shards", Value: "0", Reason: "must be at least 1"}, *arg)
	}
}

func TestShardOutOfRange(t *testing.T) {
	for _, tt := range []struct {
		p    skip.Plan
		i    uint64
		want string
	}{
		{plan(10, 3), 3, "skip: shard 3 is out of range: the plan has 3 shards"},
		{plan(10, 3), ones64, "skip: shard 18446744073709551615 is out of range: the plan has 3 shards"},
		{plan(0, 1), 1, "skip: shard 1 is out of range: the plan has 1 shards"},
		{plan(1, ones64), ones64, "skip: shard 18446744073709551615 is out of range: the plan has 18446744073709551615 shards"},
		{skip.Plan{}, 0, "skip: shard 0 is out of range: the plan has 0 shards"},
	} {
		assert.PanicsWithValue(t, tt.want, func() { tt.p.Shard(tt.i) })
	}
}

func TestZeroPlan(t *testing.T) {
	var p skip.Plan
	assert.Zero(t, p.Blocks())
	assert.Zero(t, p.Shards())
	for i := range p.All() {
		t.Errorf("the zero Plan has shard %d", i)
	}
}

func TestPlanIsComparable(t *testing.T) {
	assert.True(t, plan(10, 3) == plan(10, 3))
	assert.False(t, plan(10, 3) == plan(10, 4))
	assert.False(t, plan(10, 3) == plan(11, 3))
}

func TestRangeFrom(t *testing.T) {
	assert.Equal(t, skip.Counter{0, 0, 1, 0}, skip.Range{First: ones64, Blocks: 5}.From(skip.Counter{1}))
	assert.Equal(t, skip.Counter{2}, skip.Range{First: 3}.From(skip.Counter{ones32, ones32, ones32, ones32}))

	// Whatever the start, the shards' counters meet: the end of one is the next one's
	// beginning, also where the run crosses the top of the circle.
	for _, start := range starts {
		at := start
		for i, r := range plan(ones64, 7).All() {
			require.Equal(t, at, r.From(start), "shard %d from %v", i, start)
			at = at.Skip(r.Blocks)
		}
		require.Equal(t, start.Back(1).Skip128(1, 0), at)
	}
}

var (
	sinkPlan  skip.Plan
	sinkRange skip.Range
	sinkErr   error
)

func TestPlanAllocatesNothing(t *testing.T) {
	p := plan(ones64, 7)
	for name, f := range map[string]func(){
		"NewPlan": func() { sinkPlan, sinkErr = skip.NewPlan(sinkUint64, 7) },
		"Shard":   func() { sinkRange = p.Shard(3) },
		"From":    func() { sinkCounter = p.Shard(3).From(starts[13]) },
		"All": func() {
			for i, r := range p.All() {
				sinkUint64, sinkRange = i, r
			}
		},
	} {
		assert.Zero(t, testing.AllocsPerRun(100, f), name)
	}
}
