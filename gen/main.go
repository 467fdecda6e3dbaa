// Command gen writes the assembly kernels of philox/asm and of rosetta/mufu, and their Go
// declarations:
//
//	go generate ./philox/asm ./rosetta/mufu
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
	"github.com/philox-go/rng/internal/layout"

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
	{"float16", "writes uniform float16 in [0,1) for %s of words", fill(half16)},
	{"bfloat16", "writes uniform bfloat16 in [0,1) for %s of words", fill(halfB16)},
	{"range32", "writes %s: uniform float32 between the bounds in params, a layout.Conversion", fill(range32)},
	{"range64", "writes %s: uniform float64 between the bounds in params, a layout.Conversion", fill(range64)},
	{"chosen8", "writes a byte for every word of %s: One in params, a layout.Conversion, where the word is at most Limit, and else 0", fill(chosen8)},
	{"chosen16", "writes 16 bits for every word of %s: One in params, a layout.Conversion, where the word is at most Limit, and else 0", fill(chosen16)},
	{"chosen32", "writes 32 bits for every word of %s: One in params, a layout.Conversion, where the word is at most Limit, and else 0", fill(chosen32)},
	{"chosen64", "writes 64 bits for every word of %s: One in params, a layout.Conversion, where the word is at most Limit, and else 0", fill(chosen64)},
	{"exponential32", "turns %s of words into float32 exponentials", exponentials(false, false, false)},
	{"scaledExponential32", "turns %s of words into float32 exponentials of the rate in params, a layout.Exponential", exponentials(false, true, false)},
	{"heldExponential32", "turns %s of words into float32 exponentials of the rate and between the bounds in params, a layout.Exponential", exponentials(false, true, true)},
	{"exponential64", "turns %s of words into float64 exponentials", exponentials(true, false, false)},
	{"scaledExponential64", "turns %s of words into float64 exponentials of the rate in params, a layout.Exponential", exponentials(true, true, false)},
	{"heldExponential64", "turns %s of words into float64 exponentials of the rate and between the bounds in params, a layout.Exponential", exponentials(true, true, true)},
	{"integers32", "turns %s of 32-bit words into candidates of integers, and lists those that are rejected in params, a layout.Truncation", integersOf(false)},
	{"integers64", "turns %s of 64-bit words into candidates of integers, and lists those that are rejected in params, a layout.Truncation", integersOf(true)},
	{"add8", "writes the lower 8 bits of what is Lo more than %s of 32-bit elements at Src in params, a layout.Move", moves(add8)},
	{"add16", "writes the lower 16 bits of what is Lo more than %s of 32-bit elements at Src in params, a layout.Move", moves(add16)},
	{"add32", "writes what is Lo more than %s of 32-bit elements at Src in params, a layout.Move", moves(add32)},
	{"widen64", "writes 64-bit numbers, Lo more than %s of 32-bit elements at Src in params, a layout.Move", moves(widen64)},
	{"add64", "writes what is Lo more than %s of 64-bit elements at Src in params, a layout.Move", moves(add64)},
	{"round16", "writes the float16 that are nearest to %s of float32 at Src in params, a layout.Move", moves(round16)},
	{"roundB16", "writes the bfloat16 that are nearest to %s of float32, none of them NaN, at Src in params, a layout.Move", moves(roundB16)},
	{"dropout32", "writes what %s of float32 at Src in params, a layout.Dropout, become", dropouts(false)},
	{"dropout64", "writes what %s of float64 at Src in params, a layout.Dropout, become", dropouts(true)},
	{"lanes", "writes the words of %s of blocks whose counter word 2 differs, each to its Dst in params, a layout.Lanes; dst is that of word 0", fill(lanes)},
	{"chosenBits", "writes a bit for every word of %s: 1 where the word is at most Limit in params, a layout.Conversion, XORed with Flip", fill(chosenBits)},
}

// more are those that one instruction set has besides.
var more = map[string][]output{"avx512": {
	{"uniformLanes", "writes uniform float32 between the bounds in params, a layout.Lanes, for the words of %s of blocks whose counter word 2 differs, each to its Dst; dst is that of word 0", fill(laneUniforms)},
	{"place32", "stores the float32 numbers listed in params, a layout.Truncation, from %s of pairs and lists those that are not between the bounds", placements(false)},
	{"ranged16", "writes uniform float16 between the bounds in params, a layout.Conversion, for %s of words", fill(ranged16)},
	{"tabledB16", "writes uniform bfloat16 for %s of words, from the Table in params, a layout.Conversion", fill(tabledB16)},
	{"place64", "stores the float64 numbers listed in params, a layout.Truncation, from %s of pairs and lists those that are not between the bounds", placements(true)},
}, "avx2": {
	{"range16", "writes %s: float32 of uniform float16 between the bounds in params, a layout.Conversion, not rounded", fill(range16)},
	{"rangeB16", "writes %s: float32 of uniform bfloat16 between the bounds in params, a layout.Conversion, not rounded", fill(rangeB16)},
	{"unzipped32", "writes %s: words, in every 64 bytes the first words of the pairs and then the second ones", fill(unzipped32)},
	{"unzipped64", "writes %s: words, in every 64 bytes the first two words of the blocks and then the last two", fill(unzipped64)},
	{"unzip32", "turns %s of words into those of unzipped32", unzips(false)},
	{"unzip64", "turns %s of words into those of unzipped64", unzips(true)},
}}

// ofUnit are the kernels of rosetta/mufu.
var ofUnit = []output{
	{"sin", "makes %s of sin.approx at Src in params, a layout.Slices", functions("sin", &layout.TurnDomain, sinTable)},
	{"cos", "makes %s of cos.approx at Src in params, a layout.Slices", functions("cos", &layout.TurnDomain, sinTable)},
	{"lg2", "makes %s of lg2.approx at Src in params, a layout.Slices", functions("lg2", &layout.NormalDomain, lg2Table)},
	{"ex2", "makes %s of ex2.approx at Src in params, a layout.Slices", functions("ex2", &layout.Ex2Domain, ex2Table)},
	{"rcp", "makes %s of rcp.approx at Src in params, a layout.Slices", functions("rcp", &layout.RcpDomain, rcpTable)},
	{"rsqrt", "makes %s of rsqrt.approx at Src in params, a layout.Slices", functions("rsqrt", &layout.NormalDomain, rsqrtTable)},
	{"sqrt", "makes %s of sqrt.approx at Src in params, a layout.Slices", functions("sqrt", &layout.NormalDomain, sqrtTable)},
	{"fastLog", "makes %s of __logf at Src in params, a layout.Slices", functions("fastLog", &layout.NormalDomain, lg2Table)},
	{"fastExp", "makes %s of __expf at Src in params, a layout.Slices", functions("fastExp", &layout.ExpDomain, ex2Table)},
	{"log", "makes %s of logf at Src in params, a layout.Slices", functions("log", &layout.NormalDomain, nil)},
	{"exp", "makes %s of expf at Src in params, a layout.Slices", functions("exp", &layout.ExpDomain, ex2Table)},
	{"uniforms", "makes %s of uniform numbers of the words at Src in params, a layout.Slices", functions("uniforms", nil, nil)},
	{"uniformsBetween", "makes %s of uniform numbers between bounds of the words at Src in params, a layout.Slices", functions("uniformsBetween", nil, nil)},
	{"affine", "makes %s of the numbers at Src in params, a layout.Slices, scaled and moved", functions("affine", nil, nil)},
	{"normals", "makes %s of normal numbers, and as many at Dst2, of the words at Src and Src2 in params, a layout.Slices", functions("normals", nil, sinTable)},
	{"uniformsDouble", "makes %s of uniform float64 of the words at two Words in params, a layout.Slices", doubles("uniforms", 2)},
	{"logDouble", "makes %s of log at Src in params, a layout.Slices", doubles("log", 0)},
	{"normalsDouble", "makes %s of normal float64, and as many at Dst2, of the words at four Words in params, a layout.Slices", doubles("normals", 4)},
}

// packages are the kernels by the name of the package.
var packages = map[string]func(set string) []output{
	"asm":  func(set string) []output { return slices.Concat(outputs, more[set]) },
	"mufu": func(string) []output { return ofUnit },
}

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
	if packages[filepath.Base(dir)] == nil {
		return fmt.Errorf("no kernels are for package %s", filepath.Base(dir))
	}
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
	seen := map[string]bool{}
	for _, o := range packages[pkg](name) {
		if seen[o.name] {
			return nil, fmt.Errorf("two kernels are called %s", o.name)
		}
		seen[o.name] = true
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
