package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// A progress tells how far the program is, on one line of a terminal. A nil one
// says nothing.
type progress func(text string)

func newProgress(w io.Writer) progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func(text string) { fmt.Fprintf(w, "\r\x1b[K%s", text) }
}

// steps returns what counts the steps of a part of the work. It speaks up to a
// hundred times only: a terminal takes time from what is measured.
func (p progress) steps(part string) func(done, total int) {
	said := -1
	return func(done, total int) {
		if percent := 100 * done / total; percent > said {
			said = percent
			p.say(fmt.Sprintf("%s: %d%%", part, percent))
		}
	}
}

func (p progress) say(text string) {
	if p != nil {
		p(text)
	}
}

// end wipes the line.
func (p progress) end() { p.say("") }
