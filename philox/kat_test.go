package philox_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/check"
	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/philox"
)

func TestKATRandom123(t *testing.T) {
	functions := check.This().Blocks // by name and rounds
	ran := map[string]int{}
	for _, b := range known.Blocks() {
		f, ok := functions[b.Name]
		require.True(t, ok, "no function for %q", b.Name)
		t.Run(fmt.Sprint(b.Name, " ", ran[b.Name]), func(t *testing.T) {
			assert.Equal(t, b.Want, f(b.Counter, b.Key))
		})
		ran[b.Name]++
	}
	total := 0
	for name := range functions {
		assert.Equal(t, 3, ran[name], "%s", name)
		total += ran[name]
	}
	assert.Equal(t, 24, total)
}

func TestKATCpp26(t *testing.T) {
	key, want := philox.Key(known.Cpp26.Key), known.Cpp26.Word
	assert.Equal(t, want, philox.Block(key, philox.Counter{2499})[3])

	words := make([]uint32, 10000)
	philox.NewAt(key, philox.Counter{}).FillUint32(words)
	assert.Equal(t, want, words[9999])

	var one [1]uint32
	philox.New(key.Seed()).FillUint32At(one[:], known.Cpp26.Index)
	assert.Equal(t, want, one[0])
}
