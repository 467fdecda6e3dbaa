package verify

import "strings"

// A system is one whose arrays are made here.
type system struct {
	name string
	// numbers returns the array that a recording should be. Its error says what is wrong
	// with the description.
	numbers func(*recording, Options) (made, error)
}

// A made is an array that this library makes.
type made struct {
	Numbers
	operator string  // with the type
	after    *uint64 // the offset after it, if the system has one
	claimed  bool    // to be exact
	assumed  bool    // for the GPU of the options
	unknown  string  // instead: why there is none
}

const (
	torchSystem  = "torch"
	curandSystem = "curand"
)

var systems = []system{
	{torchSystem, torchNumbers},
	{curandSystem, curandNumbers},
}

func findSystem(name string) (system, bool) {
	for _, s := range systems {
		if s.name == name {
			return s, true
		}
	}
	return system{}, false
}

func systemNames() string {
	var names []string
	for _, s := range systems {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ")
}
