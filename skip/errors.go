package skip

import (
	"cmp"
	"fmt"
	"math/big"
)

// ArgumentError reports an argument outside its range. The functions of this
// package, and those of the packages that stand on it, return it as
// *ArgumentError, for errors.As.
type ArgumentError struct {
	Package string // of the function; empty is skip
	Arg     string // the parameter's name, such as "shards"
	Value   string // the value given, such as "0"
	Reason  string // what the value must be, such as "must be at least 1"
}

// Error returns the argument, its value and the rule that it breaks, such as
// "skip: shards = 0: must be at least 1".
func (e *ArgumentError) Error() string {
	return cmp.Or(e.Package, "skip") + ": " + e.Arg + " = " + e.Value + ": " + e.Reason
}

// bigValue keeps an error readable, and cheap to make, when an input from outside
// has a million digits: writing those out would take longer than refusing them.
func bigValue(x *big.Int) string {
	const longest = 256 // bits
	switch {
	case x.BitLen() <= longest:
		return x.String()
	case x.Sign() < 0:
		return fmt.Sprintf("a negative number of %d bits", x.BitLen())
	default:
		return fmt.Sprintf("a number of %d bits", x.BitLen())
	}
}
