// Package known holds the numbers that every implementation must give: the known
// answers that others published, and this module's golden values, which never
// change. The tests and the command's self-check read the same files.
//
// The files are part of every program that imports the package, which so checks
// itself anywhere, also in an emulator or a browser.
package known

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed kat.txt
var blocksText string

//go:embed golden.txt
var goldenText string

// Cpp26 is what C++26 ([rand.predef]) says of its philox4x32: the 10000th value of
// a default-constructed one, whose key is given here.
var Cpp26 = struct {
	Key   [2]uint32
	Index uint64
	Word  uint32
}{Key: [2]uint32{20111115, 0}, Index: 9999, Word: 1955073260}

// lines calls f with each line that is not a comment. An error is a mistake in a
// file of this package, so that no caller could do anything about it.
func lines(text string, f func(line string) error) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if err := f(line); err != nil {
			panic(fmt.Sprintf("known: %q: %v", line, err))
		}
	}
}
