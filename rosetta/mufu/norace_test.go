//go:build !race

package mufu

const raceEnabled = false
