//go:build race

package random_test

// The race detector allocates for its own ends and makes everything several times
// slower.
const raceEnabled = true
