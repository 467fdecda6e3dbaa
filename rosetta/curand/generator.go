package curand

import (
	"github.com/philox-go/rng/rosetta/internal/engine"
)

// A Generator is a curandGenerator_t of type CURAND_RNG_PSEUDO_PHILOX4_32_10, cuRAND's host API.
// Its methods are the functions that take one. Every call goes on where the last one
// ended, whatever kind of number that one made. [NewGenerator] makes one; it is not for use by
// several goroutines at once, but shares large fills among all cores itself.
type Generator struct {
	seed uint64
	// again is the offset from which the generator begins if the seed or the ordering changes:
	// cuRAND adds to it how many fours of values every call finishes.
	again    uint64
	ordering Ordering
	gpu      GPU
	place    place
	begun    bool      // whether place is that after a call
	poisson  *Discrete // of the last call
}

// NewGenerator is curandCreateGenerator, with cuRAND's defaults: seed 0, offset 0 and Default
// ordering.
func NewGenerator() *Generator { return &Generator{ordering: Default} }

// Generate is curandGenerate: words.
func (g *Generator) Generate(dst []uint32) error { return generate(g, 1, engine.Words(), dst) }

// GenerateUniform is curandGenerateUniform: in (0,1], of a word each.
func (g *Generator) GenerateUniform(dst []float32) error { return generate(g, 1, engine.Open32(), dst) }

// GenerateUniformDouble is curandGenerateUniformDouble: in (0,1], of two words each.
func (g *Generator) GenerateUniformDouble(dst []float64) error {
	return generate(g, 2, engine.Open64(), dst)
}

// GenerateNormal is curandGenerateNormal: two of each two words. cuRAND's documentation asks for an
// even number of them, but its Philox generator takes any.
func (g *Generator) GenerateNormal(dst []float32, mean, stddev float32) error {
	return generate(g, 1, normalsOf(mean, stddev), dst)
}

// GenerateNormalDouble is curandGenerateNormalDouble: two of each four words.
func (g *Generator) GenerateNormalDouble(dst []float64, mean, stddev float64) error {
	return generate(g, 2, normals64Of(mean, stddev), dst)
}

// GenerateLogNormal is curandGenerateLogNormal: e to the power of what GenerateNormal gives.
func (g *Generator) GenerateLogNormal(dst []float32, mean, stddev float32) error {
	return generate(g, 1, logNormalsOf(mean, stddev), dst)
}

// GenerateLogNormalDouble is curandGenerateLogNormalDouble.
func (g *Generator) GenerateLogNormalDouble(dst []float64, mean, stddev float64) error {
	return generate(g, 2, logNormals64Of(mean, stddev), dst)
}

// generate is a call.
func generate[T any](g *Generator, depth uint64, c *engine.Convert[T], dst []T) error {
	if len(dst) == 0 {
		return nil
	}
	if !g.begun {
		p, err := begin(g.ordering, g.gpu, g.again, uint64(len(dst)))
		if err != nil {
			return err
		}
		if g.again == 0 { // then cuRAND does not skip, and so leaves the lane alone
			p.lane = g.place.lane
		}
		g.place, g.begun = p, true
	}
	g.again += (g.place.lane + uint64(len(dst))) / 4
	fillFrom(&g.place, g.seed, depth, c, dst)
	g.place.shift = 0
	return nil
}

// begin returns the place of a first call of n values.
func begin(o Ordering, g GPU, offset, n uint64) (place, error) {
	threads := g.threads(o)
	if o != Dynamic {
		return start(offset, threads), nil
	}
	p, good := startDynamic(offset, threads)
	if n > good {
		return place{}, badFirst(offset, threads, good)
	}
	return p, nil
}

// SetSeed is curandSetPseudoRandomGeneratorSeed. With another seed a generator that has made
// numbers does not quite begin again: as in cuRAND it then stands at the offset plus a quarter of
// the numbers made. Call SetOffset to say where it is to stand. The seed that it has already changes
// nothing.
func (g *Generator) SetSeed(seed uint64) {
	if seed != g.seed {
		g.seed, g.begun = seed, false
	}
}

// SetOffset is curandSetGeneratorOffset: the generator stands at this many words from its
// beginning, whatever was made before.
func (g *Generator) SetOffset(offset uint64) {
	g.again, g.begun, g.place.lane = offset, false, 0
}

// SetOrdering is curandSetGeneratorOrdering. A change moves the generator as SetSeed does.
func (g *Generator) SetOrdering(o Ordering) error {
	if err := o.check(); err != nil {
		return err
	}
	if o.or() != g.ordering {
		g.ordering, g.begun = o.or(), false
	}
	return nil
}

// SetGPU says which GPU the dynamic ordering is that of. Without it, that is an H200.
func (g *Generator) SetGPU(gpu GPU) error {
	if err := gpu.check(); err != nil {
		return err
	}
	g.gpu, g.begun = gpu, g.begun && g.ordering != Dynamic
	return nil
}
