package philox

import (
	"github.com/philox-go/rng/internal/fill"
	"github.com/philox-go/rng/internal/stack"
	"github.com/philox-go/rng/internal/state"
)

// What the tests outside the package must know about its inside.
const (
	StateBytes = state.Bytes

	// SharesFills says whether large fills can be parallel in this build.
	SharesFills = stack.Known
)

var (
	ParallelBytes = fill.Threshold
	MinPieceBytes = fill.SmallestPiece
)
