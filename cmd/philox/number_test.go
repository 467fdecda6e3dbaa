package main

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestParseUint(t *testing.T) {
	for text, want := range map[string]uint64{
		"0":                                     0,
		"7":                                     7,
		"010":                                   10,
		"1000000":                               1000000,
		"1_000_000":                             1000000,
		"1e6":                                   1000000,
		"1E6":                                   1000000,
		"1e+6":                                  1000000,
		"1e06":                                  1000000,
		"2.5e6":                                 2500000,
		"1_0.2_5e2":                             1025,
		"1.0":                                   1,
		"1000e-3":                               1,
		"0.001e3":                               1,
		"0e999999999":                           0,
		"0.000e-99999999999999999999":           0,
		"1e19":                                  10000000000000000000,
		"10000000000000000001":                  10000000000000000001,
		"9007199254740993":                      1<<53 + 1,
		"1.8446744073709551615e19":              math.MaxUint64,
		"18446744073709551615":                  math.MaxUint64,
		"18446744073709551615000e-3":            math.MaxUint64,
		"0000000000000000000000000001":          1,
		"0xff":                                  255,
		"0XfF_fF":                               65535,
		"0x1e3":                                 0x1e3,
		"0xffffffffffffffff":                    math.MaxUint64,
		"1" + strings.Repeat("0", 19):           10000000000000000000,
		"0." + strings.Repeat("0", 50) + "1e51": 1,
	} {
		got, ok := parseUint(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
}

var notWhole = []string{
	"", " ", "1 ", " 1", "-", "+", "+1", "1__0", "_1", "1_", "1_e3", "1e_3", "1e1_0", "0_x1", "0x_1", "0x1_",
	"1.5", "1e-1", "15e-1", "0.1", "1.", ".5", ".", "1.e3", "1._5e3", "1_.5e3", "1.2.3e9",
	"e5", "1e", "1e+", "1ee5", "1e5.0", "1e5e5", "NaN", "nan", "Inf", "inf", "0x", "0xg", "x1", "0b1", "0o7", "1,000", "1k", "١",
	"18446744073709551616", "1.8446744073709551616e19", "1e20", "2e19", "0x10000000000000000", "99999999999999999999",
	"1e999999999", "1e99999999999999999999", "1e-999999999", "1e-99999999999999999999", "0x1p4",
}

func TestParseUintRefuses(t *testing.T) {
	for _, text := range append(notWhole, "-1", "-0", "--1", "- 1") {
		_, ok := parseUint(text)
		assert.False(t, ok, "%q", text)
	}
}

func TestParseSeed(t *testing.T) {
	for text, want := range map[string]uint64{
		"42":                   42,
		"0xdecaf":              0xdecaf,
		"-1":                   math.MaxUint64,
		"-0":                   0,
		"-1e3":                 math.MaxUint64 - 999,
		"-0x10":                math.MaxUint64 - 15,
		"-9223372036854775807": 1<<63 + 1,
		"-9223372036854775808": 1 << 63,
		"9223372036854775808":  1 << 63,
		"18446744073709551615": math.MaxUint64,
	} {
		got, ok := parseSeed(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range append(notWhole, "--1", "-9223372036854775809", "-1e19", "-18446744073709551615", "- 1", "-+1") {
		_, ok := parseSeed(text)
		assert.False(t, ok, "%q", text)
	}
}

func TestParseInt(t *testing.T) {
	for text, want := range map[string]string{
		"0":                     "0",
		"-0":                    "0",
		"9007199254740993":      "9007199254740993",
		"-9007199254740993":     "-9007199254740993",
		"-2.5e6":                "-2500000",
		"1_000":                 "1000",
		"-0xff":                 "-255",
		"9223372036854775808":   "9223372036854775808",
		"-9223372036854775809":  "-9223372036854775809",
		"-18446744073709551615": "-18446744073709551615",
	} {
		got, ok := parseInt(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, got.String(), text)
	}
	for _, text := range append(notWhole, "--1", "-1.5", "- 1", "-+1", "-18446744073709551616") {
		_, ok := parseInt(text)
		assert.False(t, ok, "%q", text)
	}
}
