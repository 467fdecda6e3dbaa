package main

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Single underscores stand between digits only, as in Go's own literals.
var (
	decimal     = regexp.MustCompile(`^([0-9]+(?:_[0-9]+)*)(?:\.([0-9]+(?:_[0-9]+)*))?(?:[eE]([+-]?[0-9]+))?$`)
	hexadecimal = regexp.MustCompile(`^0[xX]([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)$`)
)

// parseUint reads a whole number below 2^64, such as 1000000, 1_000_000, 1e6,
// 2.5e6 or 0xf4240. It works on the digits: through a float64 1e19+1 would
// come out as 1e19.
func parseUint(s string) (v uint64, ok bool) {
	if m := hexadecimal.FindStringSubmatch(s); m != nil {
		v, err := strconv.ParseUint(strings.ReplaceAll(m[1], "_", ""), 16, 64)
		return v, err == nil
	}
	m := decimal.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	fraction := strings.ReplaceAll(m[2], "_", "")
	digits := strings.TrimLeft(strings.ReplaceAll(m[1], "_", "")+fraction, "0")
	if digits == "" {
		return 0, true
	}
	// An exponent too large for 32 bits comes back as the largest, which is
	// large enough to be refused below; no exponent comes back as 0.
	exponent, _ := strconv.ParseInt(m[3], 10, 32)
	significant := strings.TrimRight(digits, "0")
	zeros := int(exponent) - len(fraction) + len(digits) - len(significant)
	if zeros < 0 || zeros > 20-len(significant) { // 2^64 has 20 digits
		return 0, false
	}
	v, err := strconv.ParseUint(significant+strings.Repeat("0", zeros), 10, 64)
	return v, err == nil
}

// parseSeed reads a number from -2^63 to 2^64-1; a negative one is its two's
// complement.
func parseSeed(s string) (seed uint64, ok bool) {
	magnitude, negative := strings.CutPrefix(s, "-")
	v, ok := parseUint(magnitude)
	if negative {
		return -v, ok && v <= 1<<63
	}
	return v, ok
}

// parseInt reads a whole number of either sign and of less than 2^64.
func parseInt(s string) (x *big.Int, ok bool) {
	magnitude, negative := strings.CutPrefix(s, "-")
	v, ok := parseUint(magnitude)
	if !ok {
		return nil, false
	}
	x = new(big.Int).SetUint64(v)
	if negative {
		x.Neg(x)
	}
	return x, true
}
