//go:build !race

package random_test

const raceEnabled = false
