package main

import (
	"bytes"
	"context"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestHelp(t *testing.T) {
	text := string(runs(t, "help"))
	for _, cmd := range commands() {
		assert.Contains(t, text, "    "+cmd.name+" ")
		assert.Contains(t, text, cmd.summary)
	}
	assert.Contains(t, text, "philox fill -dist normal -n 1e8 -seed 42 -out normals.npy")
	for _, flag := range []string{"-h", "-help", "--help"} {
		assert.Equal(t, text, string(runs(t, flag)))
	}
}

func TestWithoutArgumentsTheHelpIsAnError(t *testing.T) {
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 2, run(context.Background(), nil, &stdout, &stderr))
	assert.Empty(t, stdout.String())
	assert.Equal(t, string(runs(t, "help")), stderr.String())
}

func TestHelpOfEveryCommand(t *testing.T) {
	for _, cmd := range commands() {
		text := string(runs(t, "help", cmd.name))
		assert.Equal(t, text, string(runs(t, cmd.name, "-h")))
		assert.Equal(t, text, string(runs(t, cmd.name, "--help")))
		assert.Contains(t, text, cmd.summary)
		for _, o := range cmd.options {
			assert.Contains(t, text, "\n    -"+o.name+" "+o.arg)
			assert.NotEmpty(t, o.help, o.name)
		}
	}
	text := string(runs(t, "help", "fill"))
	for _, d := range dists {
		assert.Regexp(t, `\n +`+d.name+` +`+d.element+` +\d+  `, text)
	}
	for _, line := range []string{
		"-mean number (default 0)", "-std number (default 1)", "-a number (default -2)", "-b number (default 2)",
		"truncnormal   float32      4  normal, cut to [a,b]: -mean, -std, -a, -b",
		"truncnormal64 float64      8  normal64, cut to [a,b]: -mean, -std, -a, -b",
	} {
		assert.Contains(t, text, "\n    "+line+"\n")
	}
}

func TestHelpFitsATerminal(t *testing.T) {
	texts := string(runs(t, "help"))
	for _, cmd := range commands() {
		texts += cmd.help()
	}
	for line := range strings.Lines(texts) {
		assert.LessOrEqual(t, len(line), 81, line)
	}
}

func TestVersion(t *testing.T) {
	text := string(runs(t, "version"))
	assert.Regexp(t, `^philox \S+\nsequence version 1\n`, text)
	assert.Contains(t, text, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH)
	assert.Equal(t, text, string(runs(t, "--version")))
}

func TestHelpThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{{"help"}, {"fill", "-h"}, {"version"}} {
		var stderr bytes.Buffer
		assert.Equal(t, 1, run(context.Background(), args, &limitedWriter{left: 5}, &stderr))
		assert.Contains(t, stderr.String(), errInjected.Error())
	}
}
