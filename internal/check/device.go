package check

import (
	"fmt"
	"math/rand/v2"

	"github.com/philox-go/rng/cuda"
	"github.com/philox-go/rng/philox"
)

// A Device is a device that is checked: its numbers must be those of the library on the CPU.
// Tests plant faults in one.
type Device struct {
	Device *cuda.Device
	// Short leaves most lengths out, and what takes long.
	Short bool
	// Place moves what the device fills from, unless it is nil.
	Place func(s philox.Stream) philox.Stream
	// Copied is given all memory that was copied from the device, unless it is nil.
	Copied func(mem []byte)
}

// DeviceColumns are the headings of the cells of a device's rows.
var DeviceColumns = [len(Columns)]string{"reference", "carries", "states"}

// Rows returns the rows of the device's table, in order.
func (d Device) Rows() []Row {
	var rows []Row
	for _, k := range kindsOfLaws() {
		rows = append(rows, Row{Name: k.name, cells: [len(Columns)]func(*tally){
			d.eachLaw(k, (*batch).lengths),
			d.eachLaw(k, (*batch).carries),
			d.eachLaw(k, (*batch).states),
		}})
	}
	return append(rows, d.dropoutRow(), Row{Name: "roots", cells: [len(Columns)]func(*tally){d.roots}})
}

// eachLaw is a cell with cases of all laws of a kind.
func (d Device) eachLaw(k kindOfLaws, cases func(*batch, law)) func(*tally) {
	return d.cell(func(b *batch) {
		for _, l := range k.laws {
			cases(b, l)
		}
	})
}

// place returns s, or where a fault moves it.
func (d Device) place(s philox.Stream) philox.Stream {
	if d.Place != nil {
		return d.Place(s)
	}
	return s
}

// every is the step of a loop over cases: 1, or n where there are to be few.
func (d Device) every(n int) int {
	if d.Short {
		return n
	}
	return 1
}

// grids are limits of a launch's blocks: none, those with which threads go round, and the
// numbers that some devices have of multiprocessors.
var grids = []int{0, 1, 2, 40, 132}

// aGrid returns one of them.
func aGrid(r *rand.Rand) int { return grids[r.IntN(len(grids))] }

// roots is the case of all square roots. They take seconds on what is no GPU.
func (d Device) roots(t *tally) {
	t.attempt(func() string { return "square roots of float32" }, func() string {
		wrong, of, err := cuda.CheckRoots(d.Device)
		switch {
		case err != nil:
			return err.Error()
		case wrong > 0:
			return fmt.Sprintf("%d of %d are not correctly rounded", wrong, of)
		}
		return ""
	})
}
