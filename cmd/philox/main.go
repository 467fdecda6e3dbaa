// Philox writes reproducible random numbers: the same seed gives the same bits
// on every machine, with every instruction set and any number of threads.
//
// Usage:
//
//	philox <command> [flags]
//
// The commands are:
//
//	fill       write random numbers to a file or to standard output
//	perm       write a random permutation of 0 to n-1
//	check      check the numbers of this machine against known answers
//	info       print what this machine has and which kernels were chosen
//	bench      time the fills beside math/rand/v2 on this machine
//	verify     reproduce what PyTorch and cuRAND drew, and compare
//	systems    list the other systems that can be reproduced
//	help       explain the program or one of its commands
//	version    print the versions of the program and of its number sequence
//
// For example, a hundred million normal numbers for NumPy:
//
//	philox fill -dist normal -n 1e8 -seed 42 -out normals.npy
//
// With -device cuda:0 fill makes the same numbers on an NVIDIA GPU, and check and bench
// are about what that makes. With -like fill writes the numbers that PyTorch or cuRAND draws
// on a GPU, and verify reproduces recordings of those.
//
// "philox help fill" explains every flag and lists the distributions, and "philox help
// perm" explains permutations.
//
// The exit status is 0 when all went well, 1 when something failed on the way
// (a full disk, a closed pipe, a signal) or check or verify found a fault, and 2 when the
// command line, or an environment variable that the command goes by, is wrong.
// Whatever fails, no file that looks complete is left behind.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/philox-go/rng/philox"
	"github.com/philox-go/rng/philox/asm"
	"github.com/philox-go/rng/skip"
)

func main() {
	ignoreFatalSignals()
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	// Some time after the first signal the default action is back, so that another
	// one ends a program that for any reason does not stop by itself. Not at once:
	// it must not end a program that is just removing its file.
	context.AfterFunc(ctx, func() { time.AfterFunc(longestPatience+time.Second, stop) })
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// A command is one row of the program: its flags, its help and what it does.
type command struct {
	name    string
	summary string        // one line, for the list of commands
	usage   string        // what follows the command's name
	options []option      // in the order in which the help explains them
	details func() string // the rest of the help; may be nil
	run     func(ctx context.Context, c call) error
}

// An option is a flag that takes a value, or a boolean one, whose value is then "true".
// Values stay text until the command reads them, so that every error can name the flag and
// show what was typed.
type option struct {
	name, arg string
	preset    string
	required  bool
	boolean   bool
	help      string
}

// with returns the option with more help.
func (o option) with(help string) option {
	o.help += help
	return o
}

// commands is a function because help, one of them, reads the list.
func commands() []command {
	return []command{
		fillCommand,
		permCommand,
		checkCommand,
		infoCommand,
		benchCommand,
		verifyCommand,
		systemsCommand,
		{
			name:    "help",
			summary: "explain the program or one of its commands",
			usage:   "[command]",
			run:     runHelp,
		},
		{
			name:    "version",
			summary: "print the versions of the program and of its number sequence",
			run:     runVersion,
		},
	}
}

func findCommand(name string) (command, error) {
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd, nil
		}
	}
	return command{}, usageError(fmt.Sprintf("unknown command %q", name))
}

// An env is what a command touches of the world; tests bring their own.
type env struct {
	stdout, stderr io.Writer
	create         func(name string) (file, error)
	lookup         lookupFunc
}

// print writes to standard output.
func (e env) print(text string) error {
	_, err := streamSink{e.stdout}.Write([]byte(text))
	return err
}

// A call is a command line that has been taken apart.
type call struct {
	env
	options map[string]string
	given   map[string]bool // options that are on the command line
	args    []string
}

// A usageError is a mistake of the caller's: exit status 2.
type usageError string

func (e usageError) Error() string { return string(e) }

func badValue(flag, value, must string) error {
	return usageError(fmt.Sprintf("-%s = %q: %s", flag, value, must))
}

// asTyped makes the error of an argument one of the flag that it came from, with the
// value as it was typed.
func (c call) asTyped(err error) error {
	if bad := (*skip.ArgumentError)(nil); errors.As(err, &bad) {
		return badValue(bad.Arg, c.options[bad.Arg], bad.Reason)
	}
	return err
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return runIn(ctx, args, env{stdout, stderr, createFile, os.LookupEnv})
}

func runIn(ctx context.Context, args []string, e env) int {
	if len(args) == 0 {
		io.WriteString(e.stderr, overview())
		return 2
	}
	switch args[0] {
	case "-h", "-help", "--help":
		args = []string{"help"}
	case "-version", "--version":
		args = []string{"version"}
	}
	who, hint := "philox", "philox help"
	cmd, err := findCommand(args[0])
	if err == nil {
		who += " " + cmd.name
		hint += " " + cmd.name
		err = cmd.start(ctx, args[1:], e)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintf(e.stderr, "%s: %v\n", who, err)
	if usage := usageError(""); errors.As(err, &usage) {
		fmt.Fprintf(e.stderr, "Run %q for help.\n", hint)
		return 2
	}
	return 1
}

func (cmd command) start(ctx context.Context, args []string, e env) error {
	set := flag.NewFlagSet(cmd.name, flag.ContinueOnError)
	set.SetOutput(io.Discard) // errors are printed in one place, by run
	values := make(map[string]*string)
	for _, o := range cmd.options {
		if o.boolean {
			set.BoolFunc(o.name, o.help, func(value string) error {
				on, err := strconv.ParseBool(value)
				*values[o.name] = strconv.FormatBool(on)
				return err
			})
			values[o.name] = new(string)
			continue
		}
		values[o.name] = set.String(o.name, o.preset, o.help)
	}
	switch err := set.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return e.print(cmd.help())
	case err != nil:
		return usageError(err.Error())
	}
	given := make(map[string]bool)
	set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	c := call{env: e, options: make(map[string]string), given: given, args: set.Args()}
	for _, o := range cmd.options {
		if o.required && !given[o.name] {
			return usageError(fmt.Sprintf("-%s is missing", o.name))
		}
		c.options[o.name] = *values[o.name]
	}
	return cmd.run(ctx, c)
}

// number reads an option that is a whole number from least to most.
func (c call) number(name string, least, most uint64) (uint64, error) {
	v, ok := parseUint(c.options[name])
	if !ok || v < least || v > most {
		return 0, badValue(name, c.options[name], fmt.Sprintf("must be a whole number from %d to %d, such as 1000, 1_000 or 1e3", least, most))
	}
	return v, nil
}

// noArguments refuses what stands after the flags: most often it is a flag
// whose dash was forgotten, and everything behind it would be ignored.
func (c call) noArguments() error {
	if len(c.args) > 0 {
		return usageError(fmt.Sprintf("unexpected argument %q", c.args[0]))
	}
	return nil
}

func runHelp(_ context.Context, c call) error {
	text := overview()
	switch len(c.args) {
	case 0:
	case 1:
		cmd, err := findCommand(c.args[0])
		if err != nil {
			return err
		}
		text = cmd.help()
	default:
		return usageError(fmt.Sprintf("unexpected argument %q", c.args[1]))
	}
	return c.print(text)
}

func overview() string {
	var b strings.Builder
	b.WriteString(`philox writes reproducible random numbers: the same seed gives the same bits
on every machine, with every instruction set and any number of threads.

Usage:

    philox <command> [flags]

Commands:

`)
	for _, cmd := range commands() {
		fmt.Fprintf(&b, "    %-10s %s\n", cmd.name, cmd.summary)
	}
	b.WriteString(`
Examples:

    # a hundred million normal numbers, for NumPy: numpy.load("normals.npy")
    philox fill -dist normal -n 1e8 -seed 42 -out normals.npy

    # the second half of that file, made on its own, on any machine
    philox fill -dist normal -n 5e7 -first 5e7 -seed 42 -out half.npy

    # the same file, made on an NVIDIA GPU
    philox fill -dist normal -n 1e8 -seed 42 -device cuda:0 -out normals.npy

    # the numbers that PyTorch draws on an H200
    philox fill -like torch:h200 -dist normal -n 1e8 -seed 42 -out randn.npy

    # the numbers from 0 to 9999999 in a random order
    philox perm -n 1e7 -seed 42 -out order.npy

    # raw 32-bit words for a statistical test program
    philox fill -dist u32 -n 1e12 -seed 42 -out - | RNG_test stdin32

"philox help <command>" explains a command and its flags. The numbers are for
simulation, sampling and tests, not for cryptography.
`)
	return b.String()
}

func (cmd command) help() string {
	var b strings.Builder
	fmt.Fprintf(&b, "philox %s: %s\n\nUsage:\n\n    %s\n", cmd.name, cmd.summary, strings.TrimSpace("philox "+cmd.name+" "+cmd.usage))
	if len(cmd.options) > 0 {
		b.WriteString("\nFlags:\n")
	}
	for _, o := range cmd.options {
		b.WriteString("\n    " + strings.TrimSpace("-"+o.name+" "+o.arg))
		switch {
		case o.required:
			b.WriteString(" (required)")
		case o.preset != "":
			fmt.Fprintf(&b, " (default %s)", o.preset)
		}
		fmt.Fprintf(&b, "\n        %s\n", strings.ReplaceAll(o.help, "\n", "\n        "))
	}
	if cmd.details != nil {
		b.WriteString("\n" + cmd.details())
	}
	return b.String()
}

func runVersion(_ context.Context, c call) error {
	if err := c.noArguments(); err != nil {
		return err
	}
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return c.print(fmt.Sprintf("philox %s\nsequence version %d\n%s %s/%s, vector level %s\n",
		version, philox.SequenceVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH, asm.Active()))
}
