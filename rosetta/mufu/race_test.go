//go:build race

package mufu

const raceEnabled = true
