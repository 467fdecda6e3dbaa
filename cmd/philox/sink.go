package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// A sink is where the bytes of an output go, one chunk after another.
type sink interface {
	// Write's errors say what happened in the user's words.
	io.Writer
	// finish makes the output complete; until then it must not look so.
	finish() error
	// abort throws the output away and says so, for the end of an error.
	abort() string
	// patience is how long a write in progress is waited for after a signal.
	patience() time.Duration
}

// openSink opens what -out names.
func openSink(e env, o output) (sink, error) {
	if o.name == "-" {
		return streamSink{e.stdout}, nil
	}
	return newFileSink(e, o)
}

// A streamSink writes to standard output.
type streamSink struct{ w io.Writer }

func (s streamSink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	switch {
	case err == nil:
		return n, nil
	case isClosedPipe(err):
		return n, errors.New("standard output was closed by its reader")
	}
	return n, fmt.Errorf("standard output: %w", withoutPath(err))
}

func (s streamSink) finish() error           { return nil }
func (s streamSink) abort() string           { return "" }
func (s streamSink) patience() time.Duration { return 0 }

// A file is what a fileSink needs of an *os.File.
type file interface {
	io.WriteCloser
	Truncate(size int64) error
}

func createFile(name string) (file, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// A fileSink writes a file beside its target and renames it at the end, so
// that under the target's name there is never half a file.
type fileSink struct {
	out     string // as the user wrote it
	target  string // where that leads
	partial string
	f       file
}

func newFileSink(e env, o output) (sink, error) {
	refuse := func(err error) (sink, error) {
		return nil, badValue("out", o.name, "cannot write this file: "+withoutPath(err).Error())
	}
	target, err := resolveTarget(o.name)
	if err != nil {
		return refuse(err)
	}
	partial := filepath.Join(filepath.Dir(target), fmt.Sprintf(".philox-%016x.partial", rand.Uint64()))
	f, err := e.create(partial)
	if err != nil {
		return refuse(err)
	}
	s := &fileSink{out: o.name, target: target, partial: partial, f: f}
	// The final size at once: a limit that it breaks shows here and not
	// after minutes.
	err = f.Truncate(int64(len(o.header)) + o.bytes)
	if err == nil {
		_, err = f.Write(o.header)
	}
	if err != nil {
		return nil, fmt.Errorf("%w%s", s.failed(err), s.abort())
	}
	return s, nil
}

// resolveTarget finds the file that a rename would have to replace: where a
// symbolic link leads, not the link. What it refuses a rename might well do,
// such as replacing a device or a file that is write-protected.
func resolveTarget(path string) (string, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			info, err = os.Lstat(path)
		}
		if err != nil {
			return "", err
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", err
	case info.IsDir():
		return "", errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	return path, f.Close()
}

func (s *fileSink) Write(p []byte) (int, error) {
	n, err := s.f.Write(p)
	if err != nil {
		return n, s.failed(err)
	}
	return n, nil
}

func (s *fileSink) finish() error {
	// Some file systems report a full disk only now.
	if err := s.f.Close(); err != nil {
		return s.failed(err)
	}
	if err := os.Rename(s.partial, s.target); err != nil {
		return s.failed(err)
	}
	return nil
}

func (s *fileSink) abort() string {
	s.f.Close() // again, perhaps: some systems do not remove an open file
	if err := os.Remove(s.partial); err != nil {
		return fmt.Sprintf("; remove what was written: %v", err)
	}
	return "; nothing was kept"
}

// longestPatience is the longest that a sink waits for a write after a signal.
const longestPatience = 2 * time.Second

func (s *fileSink) patience() time.Duration { return longestPatience }

func (s *fileSink) failed(err error) error {
	return fmt.Errorf("-out = %q: %w", s.out, withoutPath(err))
}

// withoutPath drops the name of the file and of the system call from an
// error: the user knows neither the one nor the other.
func withoutPath(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	if e := (*os.LinkError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}
