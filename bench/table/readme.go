package main

import (
	"fmt"
	"os"
	"strings"
)

// What stands between these lines of a file is the program's.
const (
	beginMarker = "<!-- begin: written by bench/table -->"
	endMarker   = "<!-- end: written by bench/table -->"
)

// between returns the parts of a text before, between and after the markers; the
// markers belong to the outer parts.
func between(text string) (before, inside, after string, err error) {
	for _, m := range []string{beginMarker, endMarker} {
		if n := strings.Count(text, m); n != 1 {
			return "", "", "", fmt.Errorf("marker %s is there %d times, must be once", m, n)
		}
	}
	begin, end := strings.Index(text, beginMarker)+len(beginMarker), strings.Index(text, endMarker)
	if end < begin {
		return "", "", "", fmt.Errorf("marker %s must come before %s", beginMarker, endMarker)
	}
	return text[:begin], text[begin:end], text[end:], nil
}

func checkMarkers(name string) error {
	_, err := replaced(name, "")
	return err
}

func replaced(name, inside string) (string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	before, _, after, err := between(string(text))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return before + "\n" + inside + after, nil
}

func replaceInFile(name, inside string) error {
	text, err := replaced(name, inside)
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666) // which keeps the mode of a file that is there
}
