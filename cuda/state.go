package cuda

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/random"
	"github.com/philox-go/rng/skip"
)

// Random returns the device as generators know it.
func (d *Device) Random() random.Device { return random.CUDA(d.info.Index) }

// A State is a key and a counter in the memory of a device. [Dist.FillFrom] fills from it and
// moves it on, on the device: so a CUDA graph that was captured from such fills draws new
// numbers at every launch, those that as many fills outside of a graph would have drawn, and
// [State.Set] between two launches takes effect.
type State struct {
	words Buffer[uint32] // the source's State

	mu      sync.Mutex
	at      philox.Stream // as it was last set
	retries bool          // whether numbers that may be drawn again are filled from it
}

// NewState returns a state at the first block of s. To use the blocks of a generator, reserve as
// many as all fills together will take: s, err := g.ReserveStream(blocks).
func NewState(d *Device, s philox.Stream) (*State, error) {
	words, err := Alloc[uint32](d, stateBytes/4)
	if err != nil {
		return nil, err
	}
	state := &State{words: words}
	if err := state.Set(s, words.Stream()); err != nil {
		words.Free()
		return nil, err
	}
	return state, nil
}

// placeWords is how much of a state is its place: a key and a counter.
const placeWords = 6

// Set sets the state to the first block of s, after what is queued on a stream, for which it
// waits.
func (st *State) Set(s philox.Stream, on *Stream) error {
	seed, c := s.Key().Seed(), s.Counter()
	place := []uint32{uint32(seed), uint32(seed >> 32), c[0], c[1], c[2], c[3]}
	if st == nil || st.words.mem == nil {
		return &ClosedError{What: "the state"}
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := roomForRetries(s); st.retries && err != nil {
		return err
	}
	if err := st.words.Slice(0, placeWords).On(on).CopyFrom(place); err != nil {
		return err
	}
	st.at = s
	return nil
}

// roomForRetries returns an error unless s has 2^64 blocks, more than any state moves over, of which
// numbers can be drawn again.
func roomForRetries(s philox.Stream) error {
	const end = 1<<48 - 1
	if hi, _ := s.Counter().Uint64s(); hi >= end {
		return &skip.ArgumentError{Package: "cuda", Arg: "s", Value: fmt.Sprintf("a stream at counter %v", s.Counter()), Reason: "must be below stream 2^48 - 1 for numbers that may be drawn again"}
	}
	return nil
}

// allow returns an error if numbers that may be drawn again cannot be filled from the state.
func (st *State) allow(retries bool) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !retries {
		return nil
	}
	if err := roomForRetries(st.at); err != nil {
		return err
	}
	st.retries = true
	return nil
}

// Get returns the stream whose first block is the state's next one, after what is queued on a
// stream, for which it waits.
func (st *State) Get(on *Stream) (philox.Stream, error) {
	if st == nil || st.words.mem == nil {
		return philox.Stream{}, &ClosedError{What: "the state"}
	}
	var w [placeWords]uint32
	if err := st.words.Slice(0, placeWords).On(on).CopyTo(w[:]); err != nil {
		return philox.Stream{}, err
	}
	key := philox.NewKey(uint64(w[1])<<32 | uint64(w[0]))
	return philox.NewAt(key, philox.Counter{w[2], w[3], w[4], w[5]}), nil
}

// preparation returns what queues that the state is made ready for a launch of some blocks, and moved
// behind them.
func (st *State) preparation() (func(stream uintptr, params *fillParams, blocks uint64) error, error) {
	t := st.words.target()
	f, err := t.dev.kernel(find("prepare"))
	return func(stream uintptr, params *fillParams, blocks uint64) error {
		params.state = uint64(t.pointer)
		args := kernelArgs{n: [4]uint64{blocks}}
		return t.dev.launch(f, 1, 1, stream, unsafe.Pointer(params), unsafe.Pointer(&args))
	}, err
}

// Free frees the state's memory. Using it after that is an [ErrClosed].
func (st *State) Free() error {
	if st == nil {
		return &ClosedError{What: "the state"}
	}
	return st.words.Free()
}

// otherDevice is the error of an argument that is not of the device that it must be of.
func otherDevice(arg string, got, want *Device) error {
	return &skip.ArgumentError{Package: "cuda", Arg: arg, Value: "one of " + got.String(), Reason: fmt.Sprintf("must be of this %v", want)}
}
