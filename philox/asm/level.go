package asm

import (
	"fmt"
	"os"
)

// A Level names an implementation. Levels are ordered: a machine that has one
// has those before it.
type Level uint8

const (
	// Generic is portable Go.
	Generic Level = iota
	// AVX2 needs AVX2 and FMA.
	AVX2
	// AVX512 needs AVX-512 F, DQ, BW and VL.
	AVX512

	levels
)

var levelNames = [levels]string{"generic", "avx2", "avx512"}

func (l Level) String() string {
	if l < levels {
		return levelNames[l]
	}
	return fmt.Sprintf("Level(%d)", uint8(l))
}

// EnvISA is the environment variable that lowers the level for the whole
// program: generic, avx2 or avx512. It is read once, at start.
const EnvISA = "PHILOX_ISA"

// An ISAError says that PHILOX_ISA holds a value that names no level.
type ISAError struct {
	Value string
}

func (e *ISAError) Error() string {
	return fmt.Sprintf("%s = %q: must be generic, avx2 or avx512", EnvISA, e.Value)
}

// features are the facts about a processor that the choice depends on. The
// operating system's part (whether it saves the wide registers, XCR0) is
// already in them.
type features struct {
	avx2, fma                             bool
	avx512f, avx512dq, avx512bw, avx512vl bool
}

// highest returns the best level that a machine with these features has.
func (f features) highest() Level {
	if !f.avx2 || !f.fma {
		return Generic
	}
	if !f.avx512f || !f.avx512dq || !f.avx512bw || !f.avx512vl {
		return AVX2
	}
	return AVX512
}

// lower returns the level to use where the machine has best and the
// environment asks for env. An unknown word changes nothing: the bits are the
// same at every level, so a library does not stop a program for it.
func lower(best Level, env string) (Level, error) {
	if env == "" {
		return best, nil
	}
	for l, name := range levelNames {
		if env == name {
			return min(best, Level(l)), nil
		}
	}
	return best, &ISAError{Value: env}
}

var (
	best           = detect().highest()
	active, envErr = lower(best, os.Getenv(EnvISA))
)

// Best returns the best level that this machine and build have.
func Best() Level { return best }

// Active returns the level that Fill uses: Best, unless PHILOX_ISA lowers it.
func Active() Level { return active }

// EnvError returns an *ISAError if PHILOX_ISA holds an unknown word, which is
// otherwise ignored.
func EnvError() error { return envErr }

// Levels returns the levels that this machine has, from Generic up.
func Levels() []Level {
	all := make([]Level, 0, levels)
	for l := Generic; l <= best; l++ {
		all = append(all, l)
	}
	return all
}
