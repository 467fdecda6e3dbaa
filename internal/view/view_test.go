package view

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestOf(t *testing.T) {
	words := []uint64{1<<32 | 1, 2<<32 | 2, 3<<32 | 3}
	assert.Equal(t, []uint32{1, 1, 2, 2, 3, 3}, Of[uint32](words))
	assert.Equal(t, words[:2], Of[uint64](Of[byte](words)[:23]), "what does not fit is left out")
	Of[uint32](words)[5] = 7
	assert.Contains(t, []uint64{7<<32 | 3, 3<<32 | 7}, words[2], "it is the same memory")
	assert.Empty(t, Of[uint64]([]byte{}))
}
