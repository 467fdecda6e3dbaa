//go:build !race

package normal_test

const raceEnabled = false
