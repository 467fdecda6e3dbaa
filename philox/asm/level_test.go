package asm

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a processor advertises counts only with what the operating system saves
// (XCR0); golang.org/x/sys/cpu joins the two before the choice is made. The
// cases are the XCR0 values 0x3, 0x7 and 0xe7 on a processor with everything,
// and processors that lack a part.
func TestHighestLevel(t *testing.T) {
	all := features{avx2: true, fma: true, avx512f: true, avx512dq: true, avx512bw: true, avx512vl: true}
	without := func(f func(*features)) features {
		g := all
		f(&g)
		return g
	}
	for name, c := range map[string]struct {
		f    features
		want Level
	}{
		"XCR0 0xe7: all saved":        {all, AVX512},
		"XCR0 0x7: no AVX-512 state":  {features{avx2: true, fma: true}, AVX2},
		"XCR0 0x3: no AVX state":      {features{}, Generic},
		"no FMA":                      {without(func(f *features) { f.fma = false }), Generic},
		"no AVX2":                     {without(func(f *features) { f.avx2 = false }), Generic},
		"no F":                        {without(func(f *features) { f.avx512f = false }), AVX2},
		"no DQ (Knights Landing)":     {without(func(f *features) { f.avx512dq = false }), AVX2},
		"no BW":                       {without(func(f *features) { f.avx512bw = false }), AVX2},
		"no VL":                       {without(func(f *features) { f.avx512vl = false }), AVX2},
		"AVX-512 without AVX2 or FMA": {features{avx512f: true, avx512dq: true, avx512bw: true, avx512vl: true}, Generic},
	} {
		assert.Equal(t, c.want, c.f.highest(), name)
	}
}

func TestMissing(t *testing.T) {
	all := features{avx2: true, fma: true, avx512f: true, avx512dq: true, avx512bw: true, avx512vl: true}
	for _, l := range AllLevels() {
		assert.Empty(t, all.missing(l), l)
	}
	assert.Empty(t, features{}.missing(Generic))
	assert.Equal(t, []string{"no AVX2", "no FMA"}, features{}.missing(AVX2))
	assert.Equal(t, []string{"no AVX2", "no FMA", "no AVX-512 F", "no AVX-512 DQ", "no AVX-512 BW", "no AVX-512 VL"}, features{}.missing(AVX512))
	landing := features{avx2: true, fma: true, avx512f: true}
	assert.Empty(t, landing.missing(AVX2))
	assert.Equal(t, []string{"no AVX-512 DQ", "no AVX-512 BW", "no AVX-512 VL"}, landing.missing(AVX512))

	all.noKernels = "a reason"
	assert.Equal(t, Generic, all.highest())
	assert.Empty(t, all.missing(Generic))
	for _, l := range AllLevels()[1:] {
		assert.Equal(t, []string{"a reason"}, all.missing(l), l)
	}
}

// Each feature that a level needs is looked at: without any one of them there is a
// reason, and the level is not chosen.
func TestEveryFeatureHasAName(t *testing.T) {
	names := features{}.missing(AVX512)
	drop := []func(*features){
		func(f *features) { f.avx2 = false },
		func(f *features) { f.fma = false },
		func(f *features) { f.avx512f = false },
		func(f *features) { f.avx512dq = false },
		func(f *features) { f.avx512bw = false },
		func(f *features) { f.avx512vl = false },
	}
	require.Len(t, names, len(drop))
	for i, name := range names {
		f := features{avx2: true, fma: true, avx512f: true, avx512dq: true, avx512bw: true, avx512vl: true}
		drop[i](&f)
		assert.Equal(t, []string{name}, f.missing(AVX512))
		assert.Less(t, f.highest(), AVX512, name)
	}
}

func TestMissingHere(t *testing.T) {
	for _, l := range AllLevels() {
		assert.Equal(t, l <= Best(), len(Missing(l)) == 0, "%v: %q", l, Missing(l))
	}
	switch {
	case runtime.GOARCH != "amd64":
		assert.Equal(t, []string{"not an amd64 processor"}, Missing(AVX2))
	case pureGo:
		assert.Equal(t, []string{"built with the tag purego"}, Missing(AVX2))
	}
}

func TestEnvironmentLowers(t *testing.T) {
	for _, c := range []struct {
		best Level
		env  string
		want Level
	}{
		{AVX512, "", AVX512}, {AVX512, "avx512", AVX512}, {AVX512, "avx2", AVX2}, {AVX512, "generic", Generic},
		{AVX2, "", AVX2}, {AVX2, "avx512", AVX2}, {AVX2, "avx2", AVX2}, {AVX2, "generic", Generic},
		{Generic, "", Generic}, {Generic, "avx512", Generic}, {Generic, "avx2", Generic},
	} {
		got, err := lower(c.best, c.env)
		require.NoError(t, err)
		assert.Equal(t, c.want, got, "%v %q", c.best, c.env)
	}
	for _, env := range []string{"AVX2", "sse", " avx2", "0"} {
		got, err := lower(AVX512, env)
		assert.Equal(t, AVX512, got)
		var bad *ISAError
		require.True(t, errors.As(err, &bad))
		assert.Equal(t, env, bad.Value)
		assert.ErrorContains(t, err, EnvISA)
		assert.ErrorContains(t, err, env)
	}
}

// The levels must be those that the environment says, so that a run under an
// emulated processor or with a level forced shows what it claims to show.
func TestChosenLevel(t *testing.T) {
	t.Logf("levels %v, active %v", Levels(), Active())
	vectorLevels(t)
	if want := os.Getenv(expectISA); want != "" {
		assert.Equal(t, want, Best().String(), expectISA)
	}
	if env := os.Getenv(EnvISA); env != "" && EnvError() == nil {
		asked, _ := lower(Level(levels-1), env)
		assert.Equal(t, min(asked, Best()), Active())
	} else {
		assert.Equal(t, Best(), Active())
	}
	assert.Equal(t, Generic, Levels()[0])
	assert.Equal(t, Best(), Levels()[len(Levels())-1])
}

// The tag purego must leave no assembly, on any system.
func TestPureGoHasNoAssembly(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command here; .ci/run also runs this test where there is one")
	}
	sources := func(tags string) string {
		cmd := exec.Command(tool, "list", "-tags", tags, "-f", "{{.SFiles}}", ".")
		cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOFLAGS=")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.TrimSpace(string(out))
	}
	assert.Equal(t, "[]", sources("purego"))
	assert.NotEqual(t, "[]", sources(""), "and without it there is some, so the test can fail")
	if runtime.GOARCH != "amd64" {
		assert.Equal(t, []Level{Generic}, Levels())
	}
}
