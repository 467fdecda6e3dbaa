package console

import (
	"errors"
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
