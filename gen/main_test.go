package main

import (
	"os"
	"path/filepath"
	"testing"
)

var committed = []string{"../philox/asm", "../rosetta/mufu"}

// The committed kernels are what this program writes.
func TestCommittedKernelsAreCurrent(t *testing.T) {
	if len(committed) != len(packages) {
		t.Fatalf("%d packages have kernels, %d are compared", len(packages), len(committed))
	}
	for _, committed := range committed {
		dir := folder(t, filepath.Base(committed))
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
				t.Errorf("%s differs: run go generate %s", f.Name(), committed[1:])
			}
		}
	}
}

// folder returns a new folder of a name.
func folder(t *testing.T, name string) string {
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A failure leaves the folder as it was.
func TestFailureWritesNothing(t *testing.T) {
	defer func(o []output) { outputs = o }(outputs)
	outputs = append(outputs[:len(outputs):len(outputs)], outputs[0]) // a name twice
	dir := folder(t, "asm")
	if err := generate(dir); err == nil {
		t.Fatal("a name twice was taken")
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 0 {
		t.Errorf("left %v, %v", files, err)
	}
}

func TestNoKernelsForOthers(t *testing.T) {
	if err := generate(folder(t, "other")); err == nil {
		t.Error("kernels were written for a package that has none")
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
