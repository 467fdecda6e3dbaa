// Command gen writes the assembly kernels of philox/asm and their Go
// declarations:
//
//	go generate ./philox/asm
//
// A kernel is composed of stages: counters, rounds, conversion, store. The
// stages of an instruction set are in avx512.go and avx2.go, what they have in
// common (the loops, the interleaving of units, registers and constants) in
// kernel.go, and a new distribution is a new conversion in the table below.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	// avo asks for a version that does not compile with Go 1.25 and later; the
	// import keeps go.mod's newer one.
	_ "golang.org/x/tools/go/packages"
)

// outputs are the last stages that every instruction set has.
var outputs = []output{
	{"words", "writes %s: Philox4x32-10 words", fill(words)},
	{"float32", "writes %s: uniform float32 in [0,1) by mantissa stuffing", fill(stuffed32)},
	{"openFloat32", "writes %s: uniform float32 in (0,1) by division by 2^32", fill(open32)},
	{"float64", "writes %s: uniform float64 in [0,1) by mantissa stuffing", fill(stuffed64)},
	{"normal32", "turns %s of words into float32 normals", normals32(false)},
	{"scaledNormal32", "turns %s of words into float32 normals of the mean and standard deviation in params", normals32(true)},
	{"normal64", "turns %s of words into float64 normals", normals64(false)},
	{"scaledNormal64", "turns %s of words into float64 normals of the mean and standard deviation in params", normals64(true)},
	{"outside32", "lists the float32 numbers among %s that are not between the bounds in params, a layout.Truncation", outsides(false)},
	{"outside64", "lists the float64 numbers among %s that are not between the bounds in params, a layout.Truncation", outsides(true)},
	{"pairs32", "writes %s: the words of the float32 normals listed in params, a layout.Truncation, each with its pair's other one", fill(pairs32)},
	{"pairs64", "writes %s: the words of the float64 normals listed in params, a layout.Truncation, each with its pair's other one", fill(pairs64)},
}

// more are those that one instruction set has besides.
var more = map[string][]output{"avx512": {
	{"place32", "stores the float32 numbers listed in params, a layout.Truncation, from %s of pairs and lists those that are not between the bounds", placements(false)},
	{"place64", "stores the float64 numbers listed in params, a layout.Truncation, from %s of pairs and lists those that are not between the bounds", placements(true)},
}, "avx2": {
	{"unzipped32", "writes %s: words, in every 64 bytes the first words of the pairs and then the second ones", fill(unzipped32)},
	{"unzipped64", "writes %s: words, in every 64 bytes the first two words of the blocks and then the last two", fill(unzipped64)},
	{"unzip32", "turns %s of words into those of unzipped32", unzips(false)},
	{"unzip64", "turns %s of words into those of unzipped64", unzips(true)},
}}

func fill(c conversion) func(machine) body {
	return func(m machine) body { return m.fill(c) }
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	dir := flag.String("dir", "", "folder of the package that the kernels go to")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		log.Fatal("usage: gen -dir folder")
	}
	if err := generate(*dir); err != nil {
		log.Fatal(err)
	}
}

// generate writes every file into a temporary folder and moves them to dir only
// when all of them are there, so that a failure leaves the old kernels whole.
func generate(dir string) error {
	tmp, err := os.MkdirTemp(dir, ".gen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var names []string
	for name, m := range map[string]func(*build.Context) machine{"avx512": newAVX512, "avx2": newAVX2} {
		files, err := write(tmp, name, filepath.Base(dir), m)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		names = append(names, files...)
	}
	for _, n := range names {
		if err := os.Rename(filepath.Join(tmp, n), filepath.Join(dir, n)); err != nil {
			return err
		}
	}
	return nil
}

// write makes the assembly file and the declarations of one instruction set.
func write(dir, name, pkg string, newMachine func(*build.Context) machine) ([]string, error) {
	ctx := build.NewContext()
	ctx.ConstraintExpr("!purego")
	m := newMachine(ctx)
	for _, o := range slices.Concat(outputs, more[name]) {
		kernel(ctx, m, o)
	}
	m.constants().emit(ctx)
	file, err := ctx.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return nil, err
	}
	cfg := printer.Config{Name: "gen", Pkg: pkg}
	var written []string
	for suffix, p := range map[string]printer.Printer{".s": printer.NewGoAsm(cfg), ".go": printer.NewStubs(cfg)} {
		text, err := p.Print(file)
		if err != nil {
			return nil, err
		}
		n := "kernels_" + name + "_amd64" + suffix
		if err := os.WriteFile(filepath.Join(dir, n), text, 0o666); err != nil {
			return nil, err
		}
		written = append(written, n)
	}
	return written, nil
}
