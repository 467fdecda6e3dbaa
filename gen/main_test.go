package main

import (
	"os"
	"path/filepath"
	"testing"
)

const committed = "../philox/asm"

// The committed kernels are what this program writes.
func TestCommittedKernelsAreCurrent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), filepath.Base(committed))
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := generate(dir); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 4 {
		t.Fatalf("generate wrote %d files, not an assembly file and a Go file for each of two instruction sets", len(files))
	}
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join(committed, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s differs: run go generate ./philox/asm", f.Name())
		}
	}
}

// A failure leaves the folder as it was.
func TestFailureWritesNothing(t *testing.T) {
	defer func(o []output) { outputs = o }(outputs)
	outputs = append(outputs[:len(outputs):len(outputs)], outputs[0]) // a name twice
	dir := t.TempDir()
	if err := generate(dir); err == nil {
		t.Fatal("a name twice was taken")
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 0 {
		t.Errorf("left %v, %v", files, err)
	}
}

func TestPoolRunsOut(t *testing.T) {
	p := pool{free: zmm[:1]}
	p.give(p.take())
	p.take()
	defer func() {
		if recover() == nil {
			t.Error("a register was handed out twice")
		}
	}()
	p.take()
}
