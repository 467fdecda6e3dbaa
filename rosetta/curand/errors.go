package curand

import (
	"fmt"

	"github.com/philox-go/rng/skip"
)

// bad is the error of an argument.
func bad(arg string, value any, reason string) error {
	return &skip.ArgumentError{Package: "curand", Arg: arg, Value: fmt.Sprint(value), Reason: reason}
}
