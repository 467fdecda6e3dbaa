package random

import "sync"

// defaults are the default generators made so far, and the seed of those to come.
var defaults struct {
	mu     sync.Mutex
	of     map[Device]*Generator
	seed   uint64
	seeded bool // by ManualSeed; otherwise seed means nothing
}

// Default returns the default generator of a device, which is made by the first call
// for the device. Its seed is that of the last ManualSeed, or else from the system's
// entropy. All calls for a device return the same pointer.
func Default(device Device) *Generator {
	defaults.mu.Lock()
	defer defaults.mu.Unlock()
	if g := defaults.of[device]; g != nil {
		return g
	}
	seed := defaults.seed
	if !defaults.seeded {
		seed = entropy()
	}
	if defaults.of == nil {
		defaults.of = map[Device]*Generator{}
	}
	g := NewGenerator(device, seed)
	defaults.of[device] = g
	return g
}

// ManualSeed sets the seed of every default generator, and stream and offset to 0, also
// of those that are not made yet. It changes no other generator. The default generators
// of two devices then give the same numbers.
func ManualSeed(seed uint64) {
	defaults.mu.Lock()
	defer defaults.mu.Unlock()
	defaults.seed, defaults.seeded = seed, true
	for _, g := range defaults.of {
		g.shared.store(place{seed: seed})
	}
}

// On returns the generator that an operation on a device takes its numbers from: g, or
// the device's default generator where g is nil or the zero Generator. A generator of
// another device, also of another index, is a [*DeviceError].
func On(g *Generator, device Device) (*Generator, error) {
	if g == nil || g.shared == nil {
		return Default(device), nil
	}
	if got := g.shared.device; got != device {
		return nil, &DeviceError{Want: device, Got: got}
	}
	return g, nil
}
