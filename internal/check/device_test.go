package check

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/devicetest"
	"github.com/philox-go/rng/philox"
)

func TestMain(m *testing.M) { os.Exit(devicetest.Run(m)) }

// deviceCells runs the rows of the names, or all, and returns their cells that have cases
// by the row's name and the column's.
func deviceCells(t *testing.T, d Device, names ...string) map[string]Cell {
	t.Helper()
	all := map[string]Cell{}
	for _, row := range d.Rows() {
		if len(names) > 0 && !slices.Contains(names, row.Name) {
			continue
		}
		for i, column := range DeviceColumns {
			cell, err := row.Check(t.Context(), i)
			require.NoError(t, err)
			assert.Equal(t, cell.Failed > 0, cell.Case != "" && cell.Wrong != "")
			if cell.Cases > 0 {
				all[row.Name+", "+column] = cell
			}
		}
	}
	return all
}

func TestDeviceIsRight(t *testing.T) {
	d := Device{Device: devicetest.Open(t), Short: testing.Short()}
	all := deviceCells(t, d)
	assert.Len(t, all, len(DeviceColumns)*(len(d.Rows())-1)+1, "roots have no places")
	for name, cell := range all {
		assert.Zero(t, cell.Failed, "%s: %s", name, first(cell))
	}
}

func TestFaultsOfADevice(t *testing.T) {
	dev := devicetest.Open(t)
	carried := func(s philox.Stream, keep int) philox.Stream { // as if the words above were never reached
		c := s.Counter()
		for i := keep + 1; i < 4; i++ {
			if c[keep] >= 1<<32-8192 && c[i] != 9 {
				c[i]++
			}
		}
		return philox.NewAt(s.Key(), c)
	}
	rows := []string{"words", "uniform", "truncated", "integers", "dropout"}
	each := func(columns ...string) (all []string) {
		for _, row := range rows {
			for _, column := range columns {
				all = append(all, row+", "+column)
			}
		}
		return all
	}
	for name, c := range map[string]struct {
		device Device
		cells  []string
		first  string // of the last cell: a pattern
	}{
		"a seed": {
			Device{Place: func(s philox.Stream) philox.Stream {
				return philox.NewAt(philox.NewKey(s.Key().Seed()^1<<40), s.Counter())
			}},
			each("states", "carries", "reference"),
			`^mask, p 0.3, from a generator, key .*, n 16, part 0, at byte \d+ of 256: element 0 is 0x`,
		},
		"a block": {
			Device{Place: func(s philox.Stream) philox.Stream { return s.Skip(1) }},
			each("states", "carries", "reference"),
			`^mask, p .*: element 0 is 0x|^the generator after mask`,
		},
		"a carry out of word 0": {
			Device{Place: func(s philox.Stream) philox.Stream { return carried(s, 0) }},
			each("states", "carries"),
			`, counter \[ffff`,
		},
		"memory behind an element": {
			Device{Copied: func(mem []byte) { mem[len(mem)-partFence] ^= 1 }},
			each("states", "carries", "reference"),
			`: 0 bytes after the last element 0xa4 was written$`,
		},
		"memory before the first one": {
			Device{Copied: func(mem []byte) { mem[slotBytes-3] = 0 }},
			each("states", "carries", "reference"),
			`: \d+ bytes before the first element 0x00 was written$`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.device.Device, c.device.Short = dev, true
			all := deviceCells(t, c.device, rows...)
			assert.ElementsMatch(t, c.cells, failed(all))
			assert.Regexp(t, c.first, first(all[c.cells[len(c.cells)-1]]))
		})
	}
}

// A device that fails fails in every case, and does not end the check.
func TestDeviceThatFails(t *testing.T) {
	dev := devicetest.Open(t)
	rows := Device{Device: dev, Short: true}.Rows()
	require.NoError(t, dev.Close())
	for _, row := range rows {
		cell, err := row.Check(t.Context(), 0)
		require.NoError(t, err)
		assert.Equal(t, 1, cell.Failed, row.Name)
		assert.Equal(t, "cuda: the device is closed or freed", cell.Wrong, row.Name)
	}
}

func TestDeviceCheckStops(t *testing.T) {
	dev := devicetest.Open(t)
	ctx, cancel := context.WithCancel(t.Context())
	copies := 0
	d := Device{Device: dev, Short: true, Copied: func([]byte) { copies++; cancel() }}
	for _, row := range d.Rows() {
		for i := range DeviceColumns {
			_, err := row.Check(ctx, i)
			assert.ErrorIs(t, err, context.Canceled)
		}
	}
	assert.Equal(t, 1, copies)
}
