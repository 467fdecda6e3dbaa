//go:build !race

package philox_test

const raceEnabled = false
