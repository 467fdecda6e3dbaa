package console

import (
	"errors"
	"flag"
	"fmt"
	"io"
)

// A UsageError is a mistake in the command line: exit status 2.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// Usagef returns a UsageError.
func Usagef(format string, args ...any) error {
	return UsageError(fmt.Sprintf(format, args...))
}

// Status prints the error, if there is one, and returns the exit status of the
// program called who: 0 when all went well, 2 for a UsageError and 1 for any other.
func Status(err error, who string, stderr io.Writer) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n", who, err)
	if usage := UsageError(""); errors.As(err, &usage) {
		return 2
	}
	return 1
}

// Parse takes the flags of set out of args, which may hold nothing else. Where help
// is asked for it prints the flags and returns flag.ErrHelp; any other error is a
// UsageError.
func Parse(set *flag.FlagSet, args []string, stdout io.Writer) error {
	set.SetOutput(io.Discard) // Status prints the errors
	switch err := set.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		set.SetOutput(stdout)
		fmt.Fprintf(stdout, "Flags of %s:\n", set.Name())
		set.PrintDefaults()
		return err
	case err != nil:
		return UsageError(err.Error())
	case set.NArg() > 0:
		return Usagef("unexpected argument %q", set.Arg(0))
	}
	return nil
}
