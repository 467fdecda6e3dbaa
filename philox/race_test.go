//go:build race

package philox_test

// The race detector allocates for its own ends, and it makes sync.Pool drop what
// it holds now and then, so counts of allocations mean nothing under it.
const raceEnabled = true
