//go:build unix

package asm

import (
	"bytes"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// guarded returns size bytes, a multiple of the page size, between two pages
// that cannot be read or written.
func guarded(t *testing.T, size int) []byte {
	page := os.Getpagesize()
	size = (size + page - 1) / page * page
	m, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, syscall.Munmap(m)) })
	require.NoError(t, syscall.Mprotect(m[:page], syscall.PROT_NONE))
	require.NoError(t, syscall.Mprotect(m[page+size:], syscall.PROT_NONE))
	return m[page : page+size : page+size]
}

// Every length 0..1100 at every alignment 0..15 elements from the guard page
// before, and from the one after, with canaries around what is not at the page.
func TestEveryLengthInsideGuardPages(t *testing.T) {
	const (
		longest = 1100
		canary  = 128
		fill    = 0xa5
	)
	key := [2]uint32{0xdeadbeef, 0x01234567}
	quiet := bytes.Repeat([]byte{fill}, canary)
	for _, k := range append(Kinds(), Draws()...) {
		size, args := k.Size(), Standard()
		if k >= Range32 {
			args = drawArgs(k)[1]
		}
		mem := guarded(t, (longest+15)*size+2*canary)
		// The prefix property makes one portable fill the reference of all lengths.
		// The second counter carries at a place that is in no group's middle.
		for _, ctr := range [][4]uint32{{1, 2, 3, 4}, {1<<32 - 37, 1<<32 - 1, 3, 4}} {
			want := fillArgs(Generic, k, longest, key, ctr, args)
			for _, l := range Levels() {
				step := 1
				slow := l == Generic && k >= Normal32 // and without kernels
				switch {
				case testing.Short():
					step = 49 // goes through every length mod 16
				case raceEnabled || slow || k >= Range32: // see TestDrawsOfEveryLength
					step = 7
				}
				for n := 0; n <= longest; n += step {
					for a := range 16 {
						for _, from := range []int{a * size, len(mem) - (n+a)*size} {
							to := from + n*size
							lo, hi := max(0, from-canary), min(len(mem), to+canary)
							for i := lo; i < hi; i += copy(mem[i:hi], quiet) {
							}
							if n > 0 {
								drawRaw(l, k, unsafe.Pointer(&mem[from]), n, key, ctr, args)
							}
							if !bytes.Equal(mem[from:to], want[:n*size]) ||
								!bytes.Equal(mem[lo:from], quiet[:from-lo]) || !bytes.Equal(mem[to:hi], quiet[:hi-to]) {
								t.Fatalf("%v %v: %d elements at %d of %d bytes", l, k, n, from, len(mem))
							}
						}
					}
				}
			}
		}
	}
}

// Every one of the four slices once ends at the guard page and once begins at it.
func TestLanesInsideGuardPages(t *testing.T) {
	var mem [4][]byte
	for k := range mem {
		mem[k] = guarded(t, 4*200)
	}
	key, ctr := [2]uint32{0xdeadbeef, 0x01234567}, [4]uint32{1, 2, 1<<32 - 37, 4}
	words := wantLanes(200, key, ctr)
	for _, l := range laneFills() {
		want := l.want(words)
		for n := 1; n <= 200; n++ {
			for _, back := range []bool{false, true} {
				var dst [4][]uint32
				for k := range dst {
					from := 0
					if back {
						from = len(mem[k]) - 4*n
					}
					dst[k] = unsafe.Slice((*uint32)(unsafe.Pointer(&mem[k][from])), n)
				}
				l.fill(dst, key, ctr)
				for k := range dst {
					require.Equal(t, want[k][:n], dst[k], "%v: word %d of %d blocks", l, k, n)
				}
			}
		}
	}
}
