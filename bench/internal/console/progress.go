// Package console is what the programs of this module have in common: how they
// fail and how they tell how far they are.
package console

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// A Progress tells how far a program is, on one line of a terminal. A nil one says
// nothing.
type Progress func(text string)

// NewProgress returns one for w, which is nil unless w is a terminal.
func NewProgress(w io.Writer) Progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func(text string) { fmt.Fprintf(w, "\r\x1b[K%s", text) }
}

// Steps returns what counts the steps of a part of the work. It speaks up to a
// hundred times only: a terminal takes time from what is measured.
func (p Progress) Steps(part string) func(done, total int) {
	said := -1
	return func(done, total int) {
		if percent := 100 * done / total; percent > said {
			said = percent
			p.Say(fmt.Sprintf("%s: %d%%", part, percent))
		}
	}
}

// Say replaces what was said before.
func (p Progress) Say(text string) {
	if p != nil {
		p(text)
	}
}

// End wipes the line.
func (p Progress) End() { p.Say("") }
