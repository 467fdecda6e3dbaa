package random_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/random"
)

func TestDevice(t *testing.T) {
	for _, tt := range []struct {
		device random.Device
		cuda   bool
		index  int
		name   string
	}{
		{random.CPU(), false, 0, "cpu"},
		{random.Device{}, false, 0, "cpu"},
		{random.CUDA(0), true, 0, "cuda:0"},
		{random.CUDA(1), true, 1, "cuda:1"},
		{random.CUDA(math.MaxInt32), true, math.MaxInt32, "cuda:2147483647"},
	} {
		assert.Equal(t, tt.cuda, tt.device.IsCUDA(), tt.name)
		assert.Equal(t, tt.index, tt.device.Index(), tt.name)
		assert.Equal(t, tt.name, tt.device.String())
	}
	assert.True(t, random.CPU() == random.Device{})
	assert.True(t, random.CUDA(1) == random.CUDA(1))
	assert.False(t, random.CUDA(0) == random.CUDA(1))
	assert.False(t, random.CUDA(0) == random.CPU())
}

func TestDevicePanics(t *testing.T) {
	assert.PanicsWithValue(t, "random: CUDA: index = -1: must be from 0 to 2147483647", func() { random.CUDA(-1) })
	assert.Panics(t, func() { random.CUDA(math.MinInt) })
	if beyond := math.MaxUint32 / 2; math.MaxInt > beyond {
		assert.Panics(t, func() { random.CUDA(beyond + 1) })
		assert.Panics(t, func() { random.CUDA(math.MaxInt) }) // low 32 bits: -1
	}
}

func TestOn(t *testing.T) {
	cpu, one := random.NewGenerator(random.CPU(), 1), random.NewGenerator(random.CUDA(1), 1)
	for _, tt := range []struct {
		g       *random.Generator
		device  random.Device
		message string
	}{
		{cpu, random.CPU(), ""},
		{one, random.CUDA(1), ""},
		{one, random.CPU(), "random: the generator's device = cuda:1: must be cpu"},
		{one, random.CUDA(0), "random: the generator's device = cuda:1: must be cuda:0"},
		{cpu, random.CUDA(0), "random: the generator's device = cpu: must be cuda:0"},
		{random.Default(random.CPU()), random.CUDA(0), "random: the generator's device = cpu: must be cuda:0"},
	} {
		got, err := random.On(tt.g, tt.device)
		if tt.message == "" {
			require.NoError(t, err)
			assert.Same(t, tt.g, got)
			continue
		}
		assert.Nil(t, got)
		require.EqualError(t, err, tt.message)
		require.ErrorIs(t, err, random.ErrDevice)
		require.NotErrorIs(t, err, random.ErrExhausted)
		var bad *random.DeviceError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, random.DeviceError{Want: tt.device, Got: tt.g.Device()}, *bad)
	}
	// Nil and zero have no device to be wrong.
	for _, device := range []random.Device{random.CPU(), random.CUDA(0), random.CUDA(7)} {
		for _, g := range []*random.Generator{nil, {}} {
			got, err := random.On(g, device)
			require.NoError(t, err)
			assert.Same(t, random.Default(device), got)
			assert.Equal(t, device, got.Device())
		}
	}
}
