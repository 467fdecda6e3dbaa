package console

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		err    error
		status int
		text   string
	}{
		{nil, 0, ""},
		{errors.New("disk full"), 1, "x: disk full\n"},
		{Usagef("-n = %d: must be positive", -1), 2, "x: -n = -1: must be positive\n"},
		{fmt.Errorf("start: %w", UsageError("what?")), 2, "x: start: what?\n"},
	} {
		var stderr bytes.Buffer
		assert.Equal(t, tt.status, Status(tt.err, "x", &stderr))
		assert.Equal(t, tt.text, stderr.String())
	}
}

func TestStepsSpeakAHundredTimes(t *testing.T) {
	var said []string
	steps := Progress(func(text string) { said = append(said, text) }).Steps("part")
	for i := range 5000 {
		steps(i+1, 5000)
	}
	assert.Len(t, said, 101)
	assert.Equal(t, "part: 0%", said[0])
	assert.Equal(t, "part: 100%", said[100])
}

func TestProgressNeedsATerminal(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer f.Close()
	for _, p := range []Progress{NewProgress(f), NewProgress(new(bytes.Buffer))} {
		assert.Nil(t, p)
		p.Steps("part")(1, 2)
		p.Say("text")
		p.End()
	}
}
