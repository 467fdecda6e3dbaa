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
	noKernels string // why there are none in this build, if there are none

	avx2, fma                             bool
	avx512f, avx512dq, avx512bw, avx512vl bool
}

// missing returns why these features do not do for level l.
func (f features) missing(l Level) []string {
	if l > Generic && f.noKernels != "" {
		return []string{f.noKernels}
	}
	var reasons []string
	for _, need := range []struct {
		from Level
		has  bool
		name string
	}{
		{AVX2, f.avx2, "AVX2"},
		{AVX2, f.fma, "FMA"},
		{AVX512, f.avx512f, "AVX-512 F"},
		{AVX512, f.avx512dq, "AVX-512 DQ"},
		{AVX512, f.avx512bw, "AVX-512 BW"},
		{AVX512, f.avx512vl, "AVX-512 VL"},
	} {
		if l >= need.from && !need.has {
			reasons = append(reasons, "no "+need.name)
		}
	}
	return reasons
}

// highest returns the best level that a machine with these features has.
func (f features) highest() Level {
	l := Generic
	for l+1 < levels && len(f.missing(l+1)) == 0 {
		l++
	}
	return l
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
	found          = detect()
	best           = found.highest()
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

// AllLevels returns every level there is, from Generic up.
func AllLevels() []Level {
	all := make([]Level, levels)
	for i := range all {
		all[i] = Level(i)
	}
	return all
}

// Missing returns why this machine and build do not have level l: the processor's
// features that are not there, or are off in the operating system, such as "no
// FMA", or the one reason why the build has no kernels. It is empty for the levels
// of Levels.
func Missing(l Level) []string { return found.missing(l) }
