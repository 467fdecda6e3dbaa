package philox

// What the tests outside the package must know about its inside.
const (
	ParallelBytes = parallelBytes
	MinPieceBytes = minPieceBytes
	StateBytes    = stateBytes
)

var LargeOnHeap = largeOnHeap
