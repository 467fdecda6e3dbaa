package torch

import (
	"encoding/binary"
	"fmt"
	"sync"
)

// DefaultSeed is the seed of a generator that nobody seeded, as in PyTorch
// (c10::detail's default_rng_seed_val).
const DefaultSeed = 67280421310721

// StateBytes is the length of a state.
const StateBytes = 16

// A Generator is PyTorch's generator of a CUDA device: a seed, and an offset, which
// counts the words that each thread took. It belongs to a GPU, since that decides how
// many numbers the threads share. Several goroutines may use one; it must not be copied.
type Generator struct {
	gpu GPU
	mu  sync.Mutex
	at  place
}

// A place is where in the numbers a generator is.
type place struct{ seed, offset uint64 }

// NewGenerator returns a generator as torch.cuda.manual_seed(seed) leaves it, whose
// numbers are those of a GPU. A negative seed is its two's complement. It panics if gpu is
// none that [Card] would return.
func NewGenerator(gpu GPU, seed uint64) *Generator {
	if err := gpu.check(); err != nil {
		panic(err)
	}
	return &Generator{gpu: gpu, at: place{seed: seed}}
}

// GPU returns the GPU whose numbers these are.
func (g *Generator) GPU() GPU { return g.gpu }

// ManualSeed is manual_seed: it sets the seed, and the offset to 0.
func (g *Generator) ManualSeed(seed uint64) { g.store(place{seed: seed}) }

// InitialSeed is initial_seed: the seed.
func (g *Generator) InitialSeed() uint64 { return g.load().seed }

// Offset is get_offset: how many words each thread took, a multiple of 4.
func (g *Generator) Offset() uint64 { return g.load().offset }

// SetOffset is set_offset. The offset must be a multiple of 4.
func (g *Generator) SetOffset(offset uint64) error {
	if err := checkOffset("offset", offset); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at.offset = offset
	return nil
}

// checkOffset refuses what is no multiple of 4. PyTorch takes all others, those from 2^63
// on as negative numbers.
func checkOffset(arg string, offset uint64) error {
	if offset%4 != 0 {
		return bad(arg, offset, "must be a multiple of 4")
	}
	return nil
}

// State is get_state: 16 bytes, the seed and then the offset, both little-endian.
func (g *Generator) State() []byte {
	at := g.load()
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, at.seed), at.offset)
}

// SetState is set_state: it goes on from a state of 16 bytes that [Generator.State] or
// PyTorch's get_state returned. One of another length, or with an offset that is no
// multiple of 4, is an error. The 8 bytes of a seed alone, which PyTorch takes with offset
// 0, are accepted too.
func (g *Generator) SetState(state []byte) error {
	var at place
	switch len(state) {
	case StateBytes:
		at.offset = binary.LittleEndian.Uint64(state[8:])
		if err := checkOffset("state's offset", at.offset); err != nil {
			return err
		}
	case StateBytes / 2:
	default:
		return bad("len(state)", len(state), fmt.Sprintf("must be %d, seed and offset in 8 bytes each, or 8 of the seed alone", StateBytes))
	}
	at.seed = binary.LittleEndian.Uint64(state)
	g.store(at)
	return nil
}

// Clone returns another generator in the same state.
func (g *Generator) Clone() *Generator { return &Generator{gpu: g.gpu, at: g.load()} }

func (g *Generator) load() place {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.at
}

func (g *Generator) store(at place) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.at = at
}
