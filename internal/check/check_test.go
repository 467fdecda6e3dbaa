package check

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/philox-go/rng/internal/known"
	"github.com/philox-go/rng/internal/view"
	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
)

// cells runs the rows of the names, or all, and returns their cells by the row's
// name and the column's.
func cells(t *testing.T, lib Library, names ...string) map[string]Cell {
	t.Helper()
	all := map[string]Cell{}
	wanted := map[string]bool{}
	for _, name := range names {
		wanted[name] = true
	}
	for _, row := range lib.Rows() {
		if len(names) > 0 && !wanted[row.Name] {
			continue
		}
		delete(wanted, row.Name)
		for i, column := range Columns {
			cell, err := row.Check(t.Context(), i)
			require.NoError(t, err)
			require.NotZero(t, cell.Cases, "%s, %s", row.Name, column)
			assert.Equal(t, cell.Failed > 0, cell.Case != "" && cell.Wrong != "")
			all[row.Name+", "+column] = cell
		}
	}
	require.Empty(t, wanted, "no such row")
	return all
}

// failed returns the names of the cells that failed.
func failed(all map[string]Cell) []string {
	names := []string{}
	for name, cell := range all {
		if cell.Failed > 0 {
			names = append(names, name)
		}
	}
	return names
}

// first is all that a cell says of its first failed case.
func first(cell Cell) string { return cell.Case + ": " + cell.Wrong }

func TestThisMachineIsRight(t *testing.T) {
	all := cells(t, This())
	assert.Len(t, all, len(Columns)*(1+len(asm.Levels())*(len(asm.Kinds())+1)+2))
	for name, cell := range all {
		assert.Zero(t, cell.Failed, "%s: %s", name, first(cell))
	}
}

// With faults in it, a library of two levels: the second one is the portable code
// too, so that the tests do not depend on the machine.
func twoLevels() Library {
	lib := This()
	lib.Levels = []asm.Level{asm.Generic, asm.AVX512}
	lib.Fill = func(_ asm.Level, k asm.Kind, dst []byte, key philox.Key, ctr philox.Counter) {
		fillLevel(asm.Generic, k, dst, key, ctr)
	}
	lib.Transform = func(_ asm.Level, k asm.Kind, dst []byte, args asm.Args) {
		transformLevel(asm.Generic, k, dst, args)
	}
	return lib
}

// A fault changes what a fill does: it is called after the right numbers are in
// dst, which holds n elements.
type fault func(k asm.Kind, dst []byte, n int, key philox.Key, ctr philox.Counter)

// with plants a fault into the second level's code for float32.
func with(f fault) Library {
	lib := twoLevels()
	fill := lib.Fill
	lib.Fill = func(l asm.Level, k asm.Kind, dst []byte, key philox.Key, ctr philox.Counter) {
		fill(l, k, dst, key, ctr)
		if l == asm.AVX512 && k == asm.Float32 {
			f(k, dst, len(dst)/k.Size(), key, ctr)
		}
	}
	return lib
}

// beyond is the byte that lies so far behind the start of dst.
func beyond(dst []byte, bytes int) *byte {
	return (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), bytes))
}

func TestFaultsInAKernel(t *testing.T) {
	const (
		row       = "avx512 float32"
		known     = row + ", known answers"
		reference = row + ", reference"
		carries   = row + ", carries"
	)
	for name, c := range map[string]struct {
		fault fault
		cells []string
		first string // of the last cell: a pattern
	}{
		"a wrong lane": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, _ philox.Counter) {
				if n > 40 {
					dst[4*30] ^= 1
				}
			},
			[]string{known, carries, reference},
			`^key \[[0-9a-f]{8} [0-9a-f]{8}\], counter \[[0-9a-f]{8}( [0-9a-f]{8}){3}\], n 41, at byte 0 of a cache line: element 30 is 0x[0-9a-f]{8}, must be 0x[0-9a-f]{8}$`,
		},
		"a lane of the longest loop": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, _ philox.Counter) {
				if n >= 320 {
					dst[4*319+3] ^= 0x80
				}
			},
			[]string{known, carries, reference},
			`, n 320, at byte 0 of a cache line: element 319 is `,
		},
		"a write after the end": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, _ philox.Counter) {
				if n%32 == 31 {
					*beyond(dst, len(dst)+3) = 1
				}
			},
			[]string{reference},
			`, n 31, at byte 0 of a cache line: 3 bytes after the last element 0x01 was written$`,
		},
		"a write before the start": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, _ philox.Counter) {
				if n == 500 {
					*beyond(dst, -9) = 2
				}
			},
			[]string{reference},
			`, n 500, at byte 0 of a cache line: 9 bytes before the first element 0x02 was written$`,
		},
		"a pass too many": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, _ philox.Counter) {
				if n == 320 {
					for i := range loopBytes {
						*beyond(dst, len(dst)+i) = byte(i)
					}
				}
			},
			[]string{reference},
			`, n 320, at byte 0 of a cache line: 0 bytes after the last element 0x00 was written$`,
		},
		"the last element left out": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, _ philox.Counter) {
				if n > callBytes/4 && n < 100_000 && n%32 == 0 {
					for i := range 4 {
						dst[len(dst)-1-i] = canary
					}
				}
			},
			[]string{carries, reference},
			`, n 1\d{4}, at byte \d+ of a cache line: element 1\d{4} is 0xa5a5a5a5, must be 0x`,
		},
		"no carry out of word 0": {
			func(k asm.Kind, dst []byte, _ int, key philox.Key, ctr philox.Counter) {
				blocks := (1<<32 - int64(ctr[0])) * blockBytes
				if blocks < int64(len(dst)) {
					fillLevel(asm.Generic, k, dst[blocks:], key, philox.Counter{0, ctr[1], ctr[2], ctr[3]})
				}
			},
			[]string{known, carries},
			`counter \[ffffff39 00000007 00000008 00000009\], n 800, .*: element 796 is 0x`, // one block behind the carry
		},
		"no carry out of word 2": {
			func(k asm.Kind, dst []byte, _ int, key philox.Key, ctr philox.Counter) {
				blocks := (1<<32 - int64(ctr[0])) * blockBytes
				if blocks < int64(len(dst)) && ctr[1] == 1<<32-1 && ctr[2] == 1<<32-1 {
					fillLevel(asm.Generic, k, dst[blocks:], key, philox.Counter{0, 0, 0, ctr[3]})
				}
			},
			[]string{known, carries},
			`: element \d+ is 0x`,
		},
		"a carry in a later call": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, ctr philox.Counter) {
				if n*4 > callBytes && ctr[0] >= -uint32(n/4) {
					dst[callBytes+16] ^= 1
				}
			},
			[]string{carries},
			`: element \d+ is 0x`,
		},
		"groups that are counted in 16 bits": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, _ philox.Counter) {
				if groups := len(dst) / groupBytes; groups > 0xffff {
					clear(dst[groups%(1<<16)*groupBytes:])
				}
			},
			[]string{reference},
			`, n 2113571, at byte 4 of a cache line: element 16416 is 0x00000000, must be 0x`,
		},
		"blocks that are counted in 20 bits": {
			func(_ asm.Kind, dst []byte, _ int, _ philox.Key, _ philox.Counter) {
				if len(dst) > blockBytes<<20>>1 { // signed ones
					dst[blockBytes<<20>>1] ^= 1
				}
			},
			[]string{reference},
			`, n 2113571, at byte 4 of a cache line: element 2097152 is 0x`,
		},
		"an address that is not that of a cache line": {
			func(_ asm.Kind, dst []byte, n int, _ philox.Key, _ philox.Counter) {
				if uintptr(unsafe.Pointer(unsafe.SliceData(dst)))%64 == 20 && n > 0 {
					dst[0] ^= 1
				}
			},
			[]string{carries, reference},
			`, n 1, at byte 20 of a cache line: element 0 is 0x`,
		},
		"all ones only": {
			func(k asm.Kind, dst []byte, n int, key philox.Key, ctr philox.Counter) {
				for i, x := range view.Of[float32](dst) {
					if x == 1-0x1p-23 { // all 23 bits
						view.Of[float32](dst)[i] = 1
					}
				}
			},
			[]string{reference},
			`element \d+ is 0x3f800000, must be 0x3f7ffffe$|block \d+: element \d is 0x3f800000, must be 0x3f7ffffe$`,
		},
		"a panic": {
			func(_ asm.Kind, _ []byte, n int, _ philox.Key, _ philox.Counter) {
				if n == 77 {
					panic("no such kernel")
				}
			},
			[]string{reference},
			`, n 77, at byte 0 of a cache line: panic: no such kernel$`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			all := cells(t, with(c.fault), "avx512 uint32", "avx512 float32", "generic float32")
			assert.ElementsMatch(t, c.cells, failed(all))
			assert.Regexp(t, c.first, first(all[c.cells[len(c.cells)-1]]))
		})
	}
}

func TestFaultsInBlocks(t *testing.T) {
	for name, c := range map[string]struct {
		name  string
		when  func(c, k []uint64) bool
		cells []string
		first string
	}{
		"a sibling": {"philox4x64 7", func(_, k []uint64) bool { return k[0] != 0 },
			[]string{"blocks, reference", "blocks, carries", "blocks, known answers"},
			`^philox4x64 7, key \[ffffffffffffffff ffffffffffffffff\], counter \[ffffffffffffffff .*\]: word 1 is 0x48e2bbdc722b37d0, must be 0x48e2bbdc722b37d1$`},
		"seven rounds": {"philox4x32 7", func(c, _ []uint64) bool { return c[0]%256 == 3 },
			[]string{"blocks, carries", "blocks, reference"}, `^philox4x32 7, key .*: word 1 is 0x`},
		"2x32": {"philox2x32 7", func(c, _ []uint64) bool { return c[1]%256 == 5 },
			[]string{"blocks, reference"}, `^philox2x32 7, key \[[0-9a-f]+\], counter .*: word 1 is 0x`},
		"2x64": {"philox2x64 10", func(c, _ []uint64) bool { return c[1]%256 == 5 },
			[]string{"blocks, reference"}, `^philox2x64 10, key \[[0-9a-f]+\], counter .*: word 1 is 0x`},
		"4x64": {"philox4x64 10", func(c, _ []uint64) bool { return c[3]%256 == 5 },
			[]string{"blocks, reference"}, `^philox4x64 10, key .*: word 1 is 0x`},
		"an extreme word of a key": {"philox4x64 7", func(c, k []uint64) bool { return k[1] == 1<<63 },
			[]string{"blocks, carries", "blocks, reference"}, `^philox4x64 7, key \[[0-9a-f]+ 8000000000000000\], .*: word 1 is 0x`},
		"a sibling after a carry": {"philox2x64 7", func(c, _ []uint64) bool { return c[0] == 11 && c[1] == 0 },
			[]string{"blocks, carries"}, `^philox2x64 7, key .*, counter \[b 0\]: word 1 is 0x`},
		"after a carry": {"philox4x32 10", func(c, _ []uint64) bool { return c[0] == 100 && c[1] == 8 },
			[]string{"blocks, carries"}, `^philox4x32 10, key .* counter \[64 8 8 9\]: word 1 is 0x`},
	} {
		t.Run(name, func(t *testing.T) {
			lib := This()
			right := lib.Blocks[c.name]
			lib.Blocks[c.name] = func(counter, key []uint64) []uint64 {
				words := right(counter, key)
				if c.when(counter, key) {
					words[1] ^= 1
				}
				return words
			}
			all := cells(t, lib, "blocks")
			assert.ElementsMatch(t, c.cells, failed(all))
			assert.Regexp(t, c.first, first(all[c.cells[len(c.cells)-1]]))
		})
	}
}

func TestFaultsInStreams(t *testing.T) {
	for name, c := range map[string]struct {
		fault func(k asm.Kind, dst []byte, s philox.Stream, first uint64)
		cells []string
		first string
	}{
		"a shared fill": {
			func(_ asm.Kind, dst []byte, _ philox.Stream, _ uint64) {
				if len(dst) > SharedBytes-blockBytes {
					dst[SharedBytes/2] ^= 1
				}
			},
			[]string{"stream, reference"},
			`^uint32, key .*, first 1, n \d{7}, at byte \d of a cache line: element \d+ is 0x`,
		},
		"far elements": {
			func(_ asm.Kind, dst []byte, _ philox.Stream, first uint64) {
				if first >= 1<<34-100 {
					dst[len(dst)-1] ^= 1
				}
			},
			[]string{"stream, known answers"},
			`^uint32 seed 5 counter .* first 17179869084 n 300: the SHA-256 is [0-9a-f]{64}, must be 2c|the SHA-256 is `,
		},
		"the first lane": {
			func(k asm.Kind, dst []byte, _ philox.Stream, first uint64) {
				if k == asm.Float64 && first%2 == 1 && len(dst) > 0 {
					dst[0] ^= 1
				}
			},
			[]string{"stream, known answers", "stream, reference", "stream, carries"},
			`^float64, key .*, first \d+, n \d+, .*: element 0 is 0x`,
		},
		"a carry": {
			func(_ asm.Kind, dst []byte, s philox.Stream, _ uint64) {
				if c := s.Counter(); c[0] >= 1<<32-80 && c[3] != 7 && c[1] == 1<<32-1 {
					dst[len(dst)-1] ^= 1
				}
			},
			[]string{"stream, known answers", "stream, carries"},
			`: element \d+ is 0x`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			lib := This()
			lib.Stream = func(s philox.Stream, k asm.Kind, dst []byte, first uint64) {
				fillStream(s, k, dst, first)
				c.fault(k, dst, s, first)
			}
			all := cells(t, lib, "stream")
			assert.ElementsMatch(t, c.cells, failed(all))
			assert.Regexp(t, c.first, first(all[c.cells[len(c.cells)-1]]))
		})
	}
}

func TestFaultsInStarts(t *testing.T) {
	for _, k := range asm.Kinds() {
		lib := This()
		lib.Start = func(s philox.Stream, kind asm.Kind, dst []byte) {
			fillStart(s, kind, dst)
			if kind == k && len(dst) > 0 {
				dst[0] ^= 1
			}
		}
		all := cells(t, lib, "stream")
		assert.ElementsMatch(t, []string{"stream, known answers", "stream, reference"}, failed(all), k)
		assert.Regexp(t, `^`+k.String()+` from the start, key .*: element 0 is 0x`, first(all["stream, reference"]))
	}

	lib := This()
	lib.Start = func(s philox.Stream, k asm.Kind, dst []byte) {
		if k == asm.OpenFloat32 && len(dst) > SharedBytes/2 {
			k = asm.Float32
		}
		fillStart(s, k, dst)
	}
	all := cells(t, lib, "stream")
	assert.Equal(t, []string{"stream, reference"}, failed(all))
	assert.Regexp(t, `^open float32 from the start, key .*, n \d{7}, .*: element 0 is 0x`, first(all["stream, reference"]))
}

// On one core large fills are shared as well.
func TestSharingOnOneCore(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if procs := runtime.GOMAXPROCS(2); procs != 1 || runtime.GOMAXPROCS(1) != 2 {
		t.Skip("one core is all that there can be")
	}
	lib := This()
	lib.Stream = func(s philox.Stream, k asm.Kind, dst []byte, first uint64) {
		fillStream(s, k, dst, first)
		if len(dst) > SharedBytes/2 && runtime.GOMAXPROCS(0) > 1 {
			dst[0] ^= 1
		}
	}
	lib.Source = func(s philox.Stream) Source {
		bad := goodSource(s.Source())
		bad.read = func(p []byte) {
			if len(p) > SharedBytes/2 && runtime.GOMAXPROCS(0) > 1 {
				p[0] ^= 1
			}
		}
		return bad
	}
	assert.ElementsMatch(t, []string{"stream, reference", "source, reference"}, failed(cells(t, lib, "stream", "source")))
	assert.Equal(t, 1, runtime.GOMAXPROCS(0))
}

// A badSource is a source with faults.
type badSource struct {
	*philox.Source
	float func(float32) float32
	skip  func(src *philox.Source, n uint64)
	seed  func(seed uint64) uint64
	read  func(p []byte)
	state func(b []byte)
	where func(unit int) int
}

// goodSource is one without faults as yet.
func goodSource(src *philox.Source) *badSource {
	return &badSource{
		Source: src,
		float:  func(x float32) float32 { return x },
		skip:   (*philox.Source).Skip,
		seed:   func(seed uint64) uint64 { return seed },
		read:   func([]byte) {},
		state:  func([]byte) {},
		where:  func(unit int) int { return unit },
	}
}

func (s badSource) Float32() float32 { return s.float(s.Source.Float32()) }

func (s badSource) Skip(n uint64) { s.skip(s.Source, n) }

func (s badSource) Seed(seed uint64) { s.Source.Seed(s.seed(seed)) }

func (s badSource) Position() (philox.Counter, int) {
	block, unit := s.Source.Position()
	return block, s.where(unit)
}

func (s badSource) Read(p []byte) (int, error) {
	n, err := s.Source.Read(p)
	s.read(p)
	return n, err
}

func (s badSource) MarshalBinary() ([]byte, error) {
	b, err := s.Source.MarshalBinary()
	s.state(b)
	return b, err
}

func TestFaultsInSources(t *testing.T) {
	skips := func(of func(n uint64) uint64) func(s *badSource) {
		return func(s *badSource) { s.skip = func(src *philox.Source, n uint64) { src.Skip(of(n)) } }
	}
	for name, c := range map[string]struct {
		change func(s *badSource)
		cells  []string
		first  string
	}{
		"a skip across a buffer": {
			skips(func(n uint64) uint64 { return n + n/257 }),
			[]string{"source, carries", "source, reference"},
			`^key .*, counter .*, at byte \d+, Skip\(\d+\) and Uint64: it is 0x[0-9a-f]{16}, must be 0x[0-9a-f]{16}$`,
		},
		"a skip of more than 1000": {
			skips(func(n uint64) uint64 {
				if n > 1000 {
					n++
				}
				return n
			}),
			[]string{"source, carries", "source, reference"},
			`^key .*, counter .*, 0 units taken, 0 bytes read, Skip\(1001\): it is at block \[.*\], unit 0, must be at \[.*\], 1$`,
		},
		"a skip of 2^32 blocks": {
			skips(func(n uint64) uint64 { return n % (1 << 33) }),
			[]string{"source, carries", "source, reference"},
			`, Skip\(8589934592\): it is at block `,
		},
		"the longest skip": {
			skips(func(n uint64) uint64 { return min(n, 1<<64-2) }),
			[]string{"source, carries", "source, reference"},
			`, Skip\(18446744073709551615\): it is at block `,
		},
		"a skip of nothing": {
			skips(func(n uint64) uint64 { return max(n, 1) }),
			[]string{"source, carries", "source, reference"},
			`, Skip\(0\): it is at block `,
		},
		"a skip of nothing that drops a part": {
			func(s *badSource) {
				s.skip = func(src *philox.Source, n uint64) {
					if n > 0 {
						src.Skip(n)
						return
					}
					block, unit := src.Position()
					*src = *philox.NewAt(src.Key(), block).Source()
					src.Skip(uint64(unit))
				}
			},
			[]string{"source, reference"},
			`, 0 units taken, [1-7] bytes read, Skip\(0\): element 0 is 0x`,
		},
		"a seed": {
			func(s *badSource) { s.seed = func(seed uint64) uint64 { return seed ^ 1 } },
			[]string{"source, reference"},
			`^key .*, counter .*, \d+ units taken, \d bytes read, Seed\(0\): unit 0: it is 0x`,
		},
		"a position": {
			func(s *badSource) { s.where = func(unit int) int { return 1 - unit } },
			[]string{"source, carries", "source, reference"},
			`, Skip\(0\): it is at block \[.*\], unit 1, must be at \[.*\], 0$`,
		},
		"a float": {
			func(s *badSource) { s.float = func(x float32) float32 { return -x } },
			[]string{"source, carries", "source, reference"},
			`^key .*, counter .*, at byte \d+, Float32: it is 0x00000000b[0-9a-f]{7}, must be 0x000000003[0-9a-f]{7}$`,
		},
		"a long read": {
			func(s *badSource) {
				s.read = func(p []byte) {
					if len(p) > SharedBytes/2 {
						p[100_000] ^= 1
					}
				}
			},
			[]string{"source, reference"},
			`: element 100000 is 0x`,
		},
		"a state": {
			func(s *badSource) { s.state = func(b []byte) { b[39] ^= 1 } },
			[]string{"source, known answers", "source, carries", "source, reference"},
			`saved and restored: philox: state: check = `,
		},
	} {
		t.Run(name, func(t *testing.T) {
			lib := This()
			lib.Source = func(s philox.Stream) Source {
				bad := goodSource(s.Source())
				c.change(bad)
				return bad
			}
			all := cells(t, lib, "source")
			assert.ElementsMatch(t, c.cells, failed(all))
			assert.Regexp(t, c.first, first(all[c.cells[len(c.cells)-1]]))
		})
	}
}

func TestFaultInNewSource(t *testing.T) {
	lib := This()
	lib.NewSource = func(seed uint64) Source { return philox.NewSource(seed + 1) }
	all := cells(t, lib, "source")
	assert.Equal(t, []string{"source, reference"}, failed(all))
	assert.Regexp(t, `^NewSource\(0\): unit 0: it is 0x`, first(all["source, reference"]))
}

// After the context is done no case is run, and what was counted is not said to
// be the result.
func TestStopped(t *testing.T) {
	lib := twoLevels()
	for _, row := range lib.Rows() {
		for i := range Columns {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			cell, err := row.Check(ctx, i)
			assert.ErrorIs(t, err, context.Canceled)
			assert.Zero(t, cell)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	lib.Fill = func(asm.Level, asm.Kind, []byte, philox.Key, philox.Counter) {
		if calls++; calls == 10 {
			cancel()
		}
	}
	_, err := lib.Rows()[1].Check(ctx, 1)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 10, calls)
}

func TestKindsOfGoldenFills(t *testing.T) {
	count := map[asm.Kind]int{}
	for _, f := range known.Fills() {
		count[kindOf(f)]++
	}
	for _, k := range asm.Kinds() {
		assert.Equal(t, 15, count[k], k)
	}
}

func TestRowNames(t *testing.T) {
	names := map[string]bool{}
	for _, row := range twoLevels().Rows() {
		assert.False(t, names[row.Name], row.Name)
		names[row.Name] = true
	}
	assert.True(t, names["blocks"] && names["stream"] && names["source"])
	assert.True(t, names[fmt.Sprint(asm.AVX512, " ", asm.OpenFloat32)])
}
