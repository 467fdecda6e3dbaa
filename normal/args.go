package normal

import (
	"math"
	"strconv"

	"github.com/philox-go/rng/skip"
)

// checkScale returns what is wrong with a mean and a standard deviation.
func checkScale(mean, std float64) error {
	switch {
	case math.IsNaN(mean) || math.IsInf(mean, 0):
		return badArgument("mean", mean, "must be a finite number")
	case math.IsNaN(std) || math.IsInf(std, 0):
		return badArgument("std", std, "must be a finite number")
	case std < 0:
		return badArgument("std", std, "must not be negative")
	}
	return nil
}

func badArgument(name string, value float64, must string) error {
	return &skip.ArgumentError{Package: "normal", Arg: name, Value: strconv.FormatFloat(value, 'g', -1, 64), Reason: must}
}
