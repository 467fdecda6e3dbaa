package curand

// A GPU is what the dynamic ordering depends on. The zero value is [H200].
type GPU struct {
	// Multiprocessors is how many the GPU has: cudaDevAttrMultiProcessorCount.
	Multiprocessors int
}

// H200 is the GPU on which all outputs that this package was compared with were recorded.
var H200 = GPU{Multiprocessors: 132}

func (g GPU) check() error {
	if g.Multiprocessors < 0 || g.Multiprocessors > 1<<16 {
		return bad("multiprocessors", g.Multiprocessors, "must be between 0, for an H200, and 65536")
	}
	return nil
}

// threads is how many subsequences an ordering has.
func (g GPU) threads(o Ordering) uint64 {
	if o != Dynamic {
		return 65536
	}
	if g.Multiprocessors == 0 {
		g = H200
	}
	return 512 * uint64(g.Multiprocessors)
}
