package curand

import (
	"strconv"
	"strings"
)

// An Ordering is how the host API deals subsequences to threads, a curandOrdering_t. The zero
// value stands for Default.
type Ordering int

// The orderings of Philox. The first three are the same: four numbers of a subsequence are
// followed by four of the next one, and the 65536th subsequence by the first. Dynamic has as
// many subsequences as suit the GPU: see [GPU].
const (
	Best    Ordering = 100
	Default Ordering = 101
	Legacy  Ordering = 103
	Dynamic Ordering = 104
)

var orderings = map[Ordering]string{Best: "best", Default: "default", Legacy: "legacy", Dynamic: "dynamic"}

const orderingsThereAre = "must be best (100), default (101), legacy (103) or dynamic (104)"

// String returns the ordering's name, such as "best".
func (o Ordering) String() string {
	if name, ok := orderings[o.or()]; ok {
		return name
	}
	return "Ordering(" + strconv.Itoa(int(o)) + ")"
}

// ParseOrdering returns the ordering of a name or a number, such as "best" or "100".
func ParseOrdering(s string) (Ordering, error) {
	for o, name := range orderings {
		if strings.EqualFold(s, name) || s == strconv.Itoa(int(o)) {
			return o, nil
		}
	}
	return 0, bad("ordering", strconv.Quote(s), orderingsThereAre)
}

// or is o, or Default for 0.
func (o Ordering) or() Ordering {
	if o == 0 {
		return Default
	}
	return o
}

// check is the error of an ordering that Philox does not have.
func (o Ordering) check() error {
	if _, ok := orderings[o.or()]; !ok {
		return bad("ordering", int(o), orderingsThereAre)
	}
	return nil
}
