package verify

import (
	"bufio"
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNpyHeader(t *testing.T) {
	header := func(version byte, length string, dict string) string {
		return "\x93NUMPY" + string([]byte{version, 0}) + length + dict
	}
	const dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }\n"
	size := string([]byte{byte(len(dict)), 0})
	for _, c := range []struct{ text, wrong string }{
		{header(1, size, dict), ""},
		{header(2, size+"\x00\x00", dict), ""},
		{header(3, size+"\x00\x00", dict), ""},
		{header(4, size, dict), "is of .npy's version 4"},
		{header(0, size, dict), "is of .npy's version 0"},
		{header(1, "", ""), "ends in its .npy header"},
		{header(1, size, dict[:5]), "ends in its .npy header"},
		{header(2, "\xff\xff\xff\xff", dict), "has a .npy header of 4294967295 bytes"},
		{header(1, size, strings.Replace(dict, "(3, 4)", "(3,-4)", 1)), "without a plain type, order and shape"},
		{header(1, size, strings.Replace(dict, "'<f4'", "[12] ", 1)), "without a plain type, order and shape"},
		{header(1, size, strings.Replace(dict, "False", "True ", 1)), "is in Fortran's order"},
		{"", "is no .npy file"},
	} {
		length, descr, n, err := npyHeader(bufio.NewReader(strings.NewReader(c.text)))
		if c.wrong != "" {
			assert.ErrorContains(t, err, c.wrong)
			continue
		}
		assert.NoError(t, err)
		assert.EqualValues(t, len(c.text), length)
		assert.Equal(t, "<f4", descr)
		assert.EqualValues(t, 12, n)
	}
	for shape, n := range map[string]int64{"": 1, "5,": 5, "0, 4": 0, "0,": 0, "137438953472,": 1 << 37} {
		b := npy("<f4", 0, nil)
		b = bytes.Replace(b, []byte("(0,)"), []byte("("+shape+")"), 1)
		b[8] = byte(len(b) - 10)
		_, _, got, err := npyHeader(bufio.NewReader(bytes.NewReader(b)))
		assert.NoError(t, err, shape)
		assert.EqualValues(t, n, got, shape)
	}
	for _, shape := range []string{"137438953473,", "99999999999999999999,", "137438953472,137438953472", "4294967296,4294967296,4294967296", "1 2", "137438953472,2"} {
		b := npy("<f4", 0, nil)
		b = bytes.Replace(b, []byte("(0,)"), []byte("("+shape+")"), 1)
		b[8] = byte(len(b) - 10)
		_, _, _, err := npyHeader(bufio.NewReader(bytes.NewReader(b)))
		assert.ErrorContains(t, err, "has a .npy header with the shape ("+shape+")")
	}
}
