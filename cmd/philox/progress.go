package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// showProgress draws a bar on w, if that is a terminal, until the returned
// function is called with whether the work was completed. A fill that ends
// within the first tenth of a second shows nothing.
func showProgress(w io.Writer, total int64, done *atomic.Int64) (end func(complete bool)) {
	if total == 0 || !isTerminal(w) {
		return func(bool) {}
	}
	// The text beside the bar needs about 60 columns. The rest is not all used:
	// the ^C of who interrupts must not wrap the line, or it is not wiped.
	columns, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		columns = 80
	}
	bar := progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(max(0, min(40, columns-64))),
		progressbar.OptionShowElapsedTimeOnFinish(),
	)
	bar.StartWithoutRender()
	var (
		drawn bool
		quit  = make(chan struct{})
		group sync.WaitGroup
	)
	// The clock draws, not the workers: they only count.
	group.Go(func() {
		tick := time.NewTicker(time.Second / 10)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				bar.Set64(done.Load())
				drawn = true
			}
		}
	})
	return func(complete bool) {
		close(quit)
		group.Wait()
		switch {
		case !drawn:
		case complete:
			bar.Finish()
			fmt.Fprintln(w)
		default:
			bar.Clear()
		}
	}
}
