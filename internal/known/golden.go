package known

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// GoldenText returns the file of golden values: comments, and lines of a name, a
// colon and a value.
func GoldenText() string { return goldenText }

// Golden returns the golden values by their names.
func Golden() map[string]string {
	all := map[string]string{}
	lines(goldenText, func(line string) error {
		name, value, ok := strings.Cut(line, ": ")
		if _, twice := all[name]; !ok || twice {
			return errors.New("not a value, or the second one of this name")
		}
		all[name] = value
		return nil
	})
	return all
}

// A Fill is a golden fill of a stream.
type Fill struct {
	// Kind is uint32, uint64, bytes, float32, open, float64, normal32, normal64, or
	// truncated32 or truncated64: standard normals between -2 and 2.
	Kind    string
	Seed    int64
	Counter [4]uint32 // of the stream's first block
	First   uint64    // the element that the fill begins with
	N       int

	// Head is what the little-endian bytes of the fill begin with, and Sum the
	// SHA-256 of all of them.
	Head []byte
	Sum  [32]byte
}

// Name is what the golden file calls the fill.
func (f Fill) Name() string {
	return fmt.Sprintf("%s seed %d counter %08x first %d n %d", f.Kind, f.Seed, f.Counter, f.First, f.N)
}

// Fills returns the golden fills, in the file's order.
func Fills() []Fill {
	var all []Fill
	lines(goldenText, func(line string) error {
		if strings.HasPrefix(line, statePrefix) || strings.HasPrefix(line, scaledPrefix) {
			return nil
		}
		f, err := parseFill(line)
		all = append(all, f)
		return err
	})
	return all
}

// A ScaledFill is a golden fill of normals with a mean and a standard deviation;
// those of normal32 are the float32 nearest to the numbers here.
type ScaledFill struct {
	Mean, Std float64
	Fill
}

const scaledPrefix = "mean "

// Name is what the golden file calls the fill.
func (f ScaledFill) Name() string {
	return fmt.Sprintf(scaledPrefix+"%v std %v %s", f.Mean, f.Std, f.Fill.Name())
}

// ScaledFills returns the golden fills that have a mean, in the file's order.
func ScaledFills() []ScaledFill {
	var all []ScaledFill
	lines(goldenText, func(line string) error {
		if !strings.HasPrefix(line, scaledPrefix) {
			return nil
		}
		f, err := parseScaledFill(line)
		all = append(all, f)
		return err
	})
	return all
}

func parseScaledFill(line string) (f ScaledFill, err error) {
	words := strings.SplitN(line, " ", 5)
	if len(words) < 5 {
		return f, errors.New("not a fill with a mean")
	}
	if _, err := fmt.Sscanf(strings.Join(words[:4], " "), scaledPrefix+"%g std %g", &f.Mean, &f.Std); err != nil {
		return f, err
	}
	if f.Fill, err = parseFill(words[4]); err != nil {
		return f, err
	}
	if name, _, _ := strings.Cut(line, ": "); f.Name() != name {
		return f, fmt.Errorf("the name must be %q", f.Name())
	}
	return f, nil
}

func parseFill(line string) (f Fill, err error) {
	name, value, _ := strings.Cut(line, ": ")
	c := &f.Counter
	if _, err := fmt.Sscanf(name, "%s seed %d counter [%x %x %x %x] first %d n %d",
		&f.Kind, &f.Seed, &c[0], &c[1], &c[2], &c[3], &f.First, &f.N); err != nil {
		return f, err
	}
	if f.Name() != name {
		return f, fmt.Errorf("the name must be %q", f.Name())
	}
	head, sum, _ := strings.Cut(value, " ")
	if f.Head, err = hex.DecodeString(head); err != nil {
		return f, err
	}
	return f, decodeAll(f.Sum[:], sum)
}

// A State is the golden saved state of a source, which was saved after a number
// of units and then some bytes of one.
type State struct {
	Seed         int64
	Stream       uint64
	Units, Bytes int
	Want         [40]byte
}

const statePrefix = "state "

// Name is what the golden file calls the state.
func (s State) Name() string {
	return fmt.Sprintf(statePrefix+"seed %d stream %d after %d units and %d bytes", s.Seed, s.Stream, s.Units, s.Bytes)
}

// States returns the golden states, in the file's order.
func States() []State {
	var all []State
	lines(goldenText, func(line string) error {
		if !strings.HasPrefix(line, statePrefix) {
			return nil
		}
		s, err := parseState(line)
		all = append(all, s)
		return err
	})
	return all
}

func parseState(line string) (s State, err error) {
	name, value, _ := strings.Cut(line, ": ")
	if _, err := fmt.Sscanf(name, statePrefix+"seed %d stream %d after %d units and %d bytes",
		&s.Seed, &s.Stream, &s.Units, &s.Bytes); err != nil {
		return s, err
	}
	if s.Name() != name {
		return s, fmt.Errorf("the name must be %q", s.Name())
	}
	return s, decodeAll(s.Want[:], value)
}

// decodeAll puts the bytes that text has in hex into dst, which they must fill.
func decodeAll(dst []byte, text string) error {
	b, err := hex.DecodeString(text)
	if err != nil {
		return err
	}
	if len(b) != len(dst) {
		return fmt.Errorf("%d bytes, must be %d", len(b), len(dst))
	}
	copy(dst, b)
	return nil
}
