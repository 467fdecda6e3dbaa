package main

import (
	"bytes"
	"context"
	"fmt"
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
			assert.Contains(t, text, "\n    "+strings.TrimSpace("-"+o.name+" "+o.arg))
			assert.NotEmpty(t, o.help, o.name)
		}
	}
	text := string(runs(t, "help", "fill"))
	for _, d := range dists {
		if d.element == "float16" || d.element == "bfloat16" {
			continue // in a sentence
		}
		assert.Regexp(t, fmt.Sprintf(`\n +%s +%s +%d  \S`, d.name, d.element, d.size), text)
	}
	for _, line := range []string{
		"-lo number (default 0)", "-hi number (default 1)", "-rate number (default 1)", "-p number (default 0.5)", "-loc number (default 0)", "-scale number (default 1)",
		"-mean number (default 0)", "-std number (default 1)", "-a number (default -2)", "-b number (default 2)",
		"truncnormal   float32      4  normal, cut to [a,b]: -mean, -std, -a, -b",
		"truncnormal64 float64      8  normal64, cut to [a,b]: -mean, -std, -a, -b",
	} {
		assert.Contains(t, text, "\n    "+line+"\n")
	}
	// The sentence names all of the one type and the first of the other.
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,\n", r) })
	for _, d := range dists {
		if d.element == "float16" {
			assert.Contains(t, words, d.name)
		}
	}
	assert.Contains(t, text, "uniformbf16, normalbf16 and so\non bfloat16")
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
