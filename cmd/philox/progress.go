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
	// The clock draws, not the workers: they only count.
	stop := keepDrawing(func() { bar.Set64(done.Load()) })
	return func(complete bool) {
		switch drawn := stop(); {
		case !drawn:
		case complete:
			bar.Finish()
			fmt.Fprintln(w)
		default:
			bar.Clear()
		}
	}
}

// showWork says on w, if that is a terminal, what is being done and for how long, until
// the returned function is called: for work that does not tell how much of it is done.
func showWork(w io.Writer, what string) (end func()) {
	if !isTerminal(w) {
		return func() {}
	}
	spinner := progressbar.NewOptions64(-1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetSpinnerChangeInterval(0), // it turns when it is drawn
		progressbar.OptionSetRenderBlankState(false),
	)
	spinner.StartWithoutRender()
	stop := keepDrawing(func() { spinner.RenderBlank() })
	return func() {
		if stop() {
			spinner.Clear()
		}
	}
}

// keepDrawing calls draw ten times a second until stop is called, which tells whether it
// ever did.
func keepDrawing(draw func()) (stop func() (drawn bool)) {
	var (
		drawn bool
		quit  = make(chan struct{})
		group sync.WaitGroup
	)
	group.Go(func() {
		tick := time.NewTicker(time.Second / 10)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				draw()
				drawn = true
			}
		}
	})
	return func() bool {
		close(quit)
		group.Wait()
		return drawn
	}
}
