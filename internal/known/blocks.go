package known

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A Block is a known answer of one of the eight block functions. The words are of
// 32 or 64 bits, as the function's name says.
type Block struct {
	// Name is the generator and its rounds, such as "philox4x32 10".
	Name               string
	Counter, Key, Want []uint64
}

// Blocks returns the known answers of Random123, in the file's order.
func Blocks() []Block {
	var all []Block
	lines(blocksText, func(line string) error {
		b, err := parseBlock(line)
		all = append(all, b)
		return err
	})
	return all
}

func parseBlock(line string) (b Block, err error) {
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return b, errors.New("no name")
	}
	var words, bits int
	if _, err := fmt.Sscanf(fields[0], "philox%dx%d", &words, &bits); err != nil {
		return b, err
	}
	b.Name = fields[0] + " " + fields[1]
	var all []uint64
	for _, text := range fields[2:] {
		x, err := strconv.ParseUint(text, 16, bits)
		if err != nil || len(text) != bits/4 {
			return b, fmt.Errorf("%q is not a word of %d bits", text, bits)
		}
		all = append(all, x)
	}
	// A key has half as many words as a counter.
	if len(all) != 2*words+words/2 {
		return b, fmt.Errorf("%d words", len(all))
	}
	b.Counter, b.Key, b.Want = all[:words], all[words:words+words/2], all[words+words/2:]
	return b, nil
}

// A BlockFunc is a block function of any width on words that are 64 bits wide.
type BlockFunc func(counter, key []uint64) []uint64

// Of2x32 widens a Philox2x32.
func Of2x32(f func(uint32, [2]uint32) [2]uint32) BlockFunc {
	return func(c, k []uint64) []uint64 {
		r := f(uint32(k[0]), [2]uint32(narrow(c)))
		return Widen(r[:])
	}
}

// Of4x32 widens a Philox4x32.
func Of4x32[K ~[2]uint32, C ~[4]uint32](f func(K, C) [4]uint32) BlockFunc {
	return func(c, k []uint64) []uint64 {
		r := f(K(narrow(k)), C(narrow(c)))
		return Widen(r[:])
	}
}

// Of2x64 unifies the form of a Philox2x64.
func Of2x64(f func(uint64, [2]uint64) [2]uint64) BlockFunc {
	return func(c, k []uint64) []uint64 {
		r := f(k[0], [2]uint64(c))
		return r[:]
	}
}

// Of4x64 unifies the form of a Philox4x64.
func Of4x64(f func([2]uint64, [4]uint64) [4]uint64) BlockFunc {
	return func(c, k []uint64) []uint64 {
		r := f([2]uint64(k), [4]uint64(c))
		return r[:]
	}
}

func narrow(x []uint64) []uint32 {
	out := make([]uint32, len(x))
	for i, w := range x {
		out[i] = uint32(w)
	}
	return out
}

// Widen returns the words as 64-bit ones.
func Widen(x []uint32) []uint64 {
	out := make([]uint64, len(x))
	for i, w := range x {
		out[i] = uint64(w)
	}
	return out
}
