package main

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A terminal is a pseudo terminal that remembers what was drawn on it.
type terminal struct {
	*os.File // the program's end
	mu       sync.Mutex
	drawn    bytes.Buffer
}

func openTerminal(t *testing.T) *terminal {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo terminals here: ", err)
	}
	t.Cleanup(func() { ours.Close() })
	fd := int(ours.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 100}))
	theirs, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { theirs.Close() })
	term := &terminal{File: theirs}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := ours.Read(buf)
			term.mu.Lock()
			term.drawn.Write(buf[:n])
			term.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return term
}

func (term *terminal) text() string {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.drawn.String()
}

// Work that does not say how far it is shows that it goes on, and then nothing more.
func TestProgressOfWork(t *testing.T) {
	term := openTerminal(t)
	end := showWork(term.File, "permuting 3 numbers")
	assert.Eventually(t, func() bool {
		return strings.Count(term.text(), "permuting 3 numbers") >= 2
	}, 10*time.Second, time.Millisecond)
	end()
	time.Sleep(10 * time.Millisecond)
	assert.Regexp(t, `^\r[-\\|/] permuting 3 numbers +\[0s\] (.|\r)*\r +\r$`, term.text())

	showWork(io.Discard, "anything")() // no terminal
}

func testTerminal(t *testing.T, program string) {
	t.Run("Complete", func(t *testing.T) {
		term := openTerminal(t)
		cmd, _ := programCommand(t, program, "fill", "-n", "1e8", "-out", "-")
		cmd.Stderr = term.File
		r := pipe(t, cmd)
		_, err := io.CopyN(io.Discard, r, 2.03e8) // a little more than half: whole chunks count
		require.NoError(t, err)
		time.Sleep(time.Second)
		_, err = io.Copy(io.Discard, r)
		require.NoError(t, err)
		require.NoError(t, cmd.Wait())
		assert.Eventually(t, func() bool {
			return bytes.HasSuffix([]byte(term.text()), []byte("\r\n"))
		}, 10*time.Second, time.Millisecond, "the last bar ends its line")
		text := term.text()
		assert.Regexp(t, ` 50% \|█+ +\| \(20\d/400 MB, [\d.]+ MB/s\) \[\d+s:\d+s\]`, text)
		assert.Regexp(t, `\r *100% \|█+\| \(400/400 MB, [\d.]+ [MG]B/s\) \[\d+s\]\s*\r\n$`, text)
		draws := bytes.Count([]byte(text), []byte("%"))
		assert.Greater(t, draws, 5)
		assert.Less(t, draws, 100, "not once for each chunk, of which there are 382")
	})
	t.Run("Failed", func(t *testing.T) {
		term := openTerminal(t)
		cmd, _ := programCommand(t, program, "fill", "-n", "1e8", "-out", "-")
		cmd.Stderr = term.File
		r := pipe(t, cmd)
		_, err := io.CopyN(io.Discard, r, 2.03e8) // a little more than half: whole chunks count
		require.NoError(t, err)
		assert.Eventually(t, func() bool {
			return bytes.Contains([]byte(term.text()), []byte(" 50% "))
		}, 10*time.Second, time.Millisecond)
		r.Close()
		cmd.Wait()
		assert.Equal(t, 1, cmd.ProcessState.ExitCode())
		assert.Eventually(t, func() bool {
			return bytes.HasSuffix([]byte(term.text()), []byte("bytes\r\n"))
		}, 10*time.Second, time.Millisecond)
		assert.Regexp(t, `\r +\rphilox fill: standard output was closed by its reader`, term.text(), "the bar is wiped before the message")
	})
	t.Run("Short", func(t *testing.T) {
		term := openTerminal(t)
		cmd, _ := programCommand(t, program, "fill", "-n", "0", "-out", "x.npy")
		cmd.Stderr = term.File
		require.NoError(t, cmd.Run())
		assert.Empty(t, term.text())
	})
	t.Run("NoNumbersOnTheScreen", func(t *testing.T) {
		term := openTerminal(t)
		cmd, stderr := programCommand(t, program, "fill", "-n", "10", "-out", "-")
		cmd.Stdout = term.File
		cmd.Run()
		assert.Equal(t, 2, cmd.ProcessState.ExitCode())
		assert.Contains(t, stderr.String(), `-out = "-": standard output is a terminal`)
		assert.Empty(t, term.text())
	})
}
