package random_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/random"
)

// forget makes a test start, and end, as a program does.
func forget(t *testing.T) {
	random.ForgetDefaults()
	t.Cleanup(random.ForgetDefaults)
}

func TestDefaultIsOnePerDevice(t *testing.T) {
	devices := []random.Device{random.CPU(), random.CUDA(0), random.CUDA(1)}
	forget(t)
	for range 20 {
		random.ForgetDefaults()
		var got [64][]*random.Generator
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				for _, device := range devices {
					g := random.Default(device)
					got[i] = append(got[i], g)
					if _, err := g.Reserve(1); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		for i, device := range devices {
			g := random.Default(device)
			assert.Equal(t, device, g.Device())
			assert.Equal(t, uint64(len(got)), g.Offset())
			for _, all := range got {
				require.Same(t, g, all[i])
			}
			assert.NotSame(t, g, random.Default(devices[(i+1)%len(devices)]))
		}
	}
}

func TestDefaultIsSeededRandomly(t *testing.T) {
	forget(t)
	seen := map[uint64]bool{}
	for range 50 {
		random.ForgetDefaults()
		seen[random.Default(random.CPU()).Seed()] = true
		seen[random.Default(random.CUDA(0)).Seed()] = true
	}
	assert.Len(t, seen, 100)
}

func TestManualSeed(t *testing.T) {
	forget(t)
	made := random.Default(random.CPU())
	reserve(t, made, 10)
	clone, explicit := made.Clone(), at(t, 1, 2, 3)
	cloneState, explicitState := clone.State(), explicit.State()

	random.ManualSeed(42)
	assert.Same(t, made, random.Default(random.CPU()))
	equal(t, random.NewGenerator(random.CPU(), 42), made)
	equal(t, random.NewGenerator(random.CUDA(5), 42), random.Default(random.CUDA(5)))
	assert.Equal(t, cloneState, clone.State())
	assert.Equal(t, explicitState, explicit.State())

	// Later ones have the manual seed, whatever was done to those made.
	made.SetSeed(7)
	reserve(t, random.Default(random.CUDA(5)), 3)
	equal(t, random.NewGenerator(random.CUDA(6), 42), random.Default(random.CUDA(6)))
	assert.Equal(t, uint64(7), made.Seed())

	random.ManualSeed(0) // 0 is a seed like others
	for _, device := range []random.Device{random.CPU(), random.CUDA(5), random.CUDA(6), random.CUDA(7)} {
		equal(t, random.NewGenerator(device, 0), random.Default(device))
	}

	// From any stream, and exhausted.
	require.NoError(t, made.SetState(exhausted(t, 1, 2).State()))
	random.ManualSeed(8)
	equal(t, random.NewGenerator(random.CPU(), 8), made)
}

func TestManualSeedBeforeTheFirst(t *testing.T) {
	forget(t)
	random.ManualSeed(9)
	equal(t, random.NewGenerator(random.CPU(), 9), random.Default(random.CPU()))
}

// ManualSeed and Default at the same time: no default generator is left out.
func TestManualSeedFromManyGoroutines(t *testing.T) {
	forget(t)
	for round := range uint64(50) {
		random.ForgetDefaults()
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() { random.Default(random.CUDA(i)) })
			wg.Go(func() { random.ManualSeed(round) })
		}
		wg.Wait()
		for i := range 8 {
			require.Equal(t, round, random.Default(random.CUDA(i)).Seed())
		}
	}
}

// Nil and zero are the CPU's default generator in every method.
func TestNilAndZero(t *testing.T) {
	var none *random.Generator
	for name, g := range map[string]*random.Generator{"nil": none, "zero": {}} {
		t.Run(name, func(t *testing.T) {
			forget(t)
			random.ManualSeed(42)
			cpu := random.Default(random.CPU())
			assert.Equal(t, random.CPU(), g.Device())
			assert.Equal(t, uint64(42), g.Seed())
			assert.Zero(t, g.Stream())

			assert.Zero(t, reserve(t, g, 5))
			assert.Equal(t, uint64(5), cpu.Offset())
			s, err := g.ReserveStream(5)
			require.NoError(t, err)
			assert.Equal(t, uint64(5), s.Counter().Big().Uint64())
			assert.Equal(t, uint64(10), reserve(t, cpu, 5))
			assert.Equal(t, uint64(15), g.Offset())

			sub, err := g.Substream(3)
			require.NoError(t, err)
			equal(t, at(t, 42, 3, 0), sub)
			parts, err := g.Split(2)
			require.NoError(t, err)
			equal(t, at(t, 42, 2, 0), parts[1])

			clone := g.Clone()
			equal(t, cpu, clone)
			reserve(t, clone, 1)
			assert.Equal(t, uint64(15), cpu.Offset())

			state := g.State()
			assert.Equal(t, cpu.State(), state)
			marshalled, err := g.MarshalBinary()
			require.NoError(t, err)
			assert.Equal(t, state, marshalled)
			appended, err := g.AppendBinary([]byte("x"))
			require.NoError(t, err)
			assert.Equal(t, append([]byte("x"), state...), appended)

			require.NoError(t, g.SetOffset(ones64))
			assert.Equal(t, uint64(ones64), cpu.Offset())
			reserve(t, g, 1)
			assert.True(t, g.Exhausted())
			assert.True(t, cpu.Exhausted())
			g.SetSeed(6)
			assert.Equal(t, uint64(6), cpu.Seed())
			assert.Equal(t, g.SeedRandomly(), cpu.Seed())
			require.NoError(t, g.SetState(at(t, 1, 2, 3).State()))
			equal(t, at(t, 1, 2, 3), cpu)
			assert.Same(t, cpu, random.Default(random.CPU()))
		})
	}
}

// UnmarshalBinary is where they differ: decoders make zero values.
func TestUnmarshalNilAndZero(t *testing.T) {
	forget(t)
	random.ManualSeed(42)
	cpu := random.Default(random.CPU())
	before := cpu.State()

	var zero random.Generator
	saved := at(t, 1, 2, 3)
	require.NoError(t, zero.UnmarshalBinary(saved.State()))
	equal(t, saved, &zero)
	reserve(t, &zero, 1)
	assert.Equal(t, uint64(3), saved.Offset())
	assert.Equal(t, before, cpu.State())

	zero = random.Generator{}
	for _, state := range [][]byte{nil, saved.State()[1:], random.NewGenerator(random.CUDA(0), 1).State()} {
		require.ErrorIs(t, zero.UnmarshalBinary(state), random.ErrState)
		assert.Equal(t, random.Generator{}, zero)
	}
	assert.Equal(t, before, cpu.State())

	var none *random.Generator
	require.NoError(t, none.UnmarshalBinary(saved.State()))
	equal(t, saved, cpu)
}
