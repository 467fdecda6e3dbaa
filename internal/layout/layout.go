// Package layout holds what the kernel generator and the Go code around the
// kernels must agree on: the Philox4x32-10 constants and the block of numbers
// that a kernel reads. gen/ takes field offsets from here, so the two sides
// cannot drift apart.
package layout

import "unsafe"

// Multipliers and key increments of Philox4x32 (Salmon, Moraes, Dror, Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
const (
	M0 = 0xD2511F53
	M1 = 0xCD9E8D57
	W0 = 0x9E3779B9
	W1 = 0xBB67AE85
)

const (
	// Rounds is the number of rounds of every kernel.
	Rounds = 10
	// BlockBytes is the size of one block of four 32-bit words.
	BlockBytes = 16
	// GroupBlocks is the number of blocks a kernel writes at the least; kernels
	// take a count of groups.
	GroupBlocks = 8
	// GroupBytes is the size of a group.
	GroupBytes = GroupBlocks * BlockBytes
)

// Params is what a kernel reads: the key schedule, and rounds 0 and 1 as far as
// they are the same for every block of a call. Within a call only counter word
// 0 differs between blocks, so of the four multiplies of those two rounds one
// remains, and an addition in place of another; see Set.
type Params struct {
	// Keys holds K0[r], K1[r] for r = 0..9.
	Keys [Rounds][2]uint32
	// KX is c3 ^ K1[0]: what round 0 folds into counter word 2.
	KX uint32
	// DC is hi(M0*a) ^ K1[1], where a = hi(M1*c2) ^ c1 ^ K0[0] is word 0 after
	// round 0: what round 1 folds into word 2.
	DC uint32
	// BK is lo(M1*c2) ^ K0[1]: what round 1 folds into word 0.
	BK uint32
	// E2 is lo(M0*a) ^ K1[2]: what round 2 folds into word 2.
	E2 uint32
	// Base is M0*c0 in 64 bits for the first block of the call.
	Base uint64
}

// Set fills p for a call whose first block has counter hi*2^64 + lo. A call may
// not run past the last value of counter word 0. Key and counter come as numbers
// because arrays would travel through memory.
func (p *Params) Set(key, hi, lo uint64) {
	k0, k1 := uint32(key), uint32(key>>32)
	p.E2 = k1 + W1 + W1
	p.DC = k1 + W1
	p.BK = k0 + W0
	p.KX = k1
	m := uint64(M1) * (hi & 0xffffffff)
	a := uint32(m>>32) ^ uint32(lo>>32) ^ k0
	q := uint64(M0) * uint64(a)
	p.KX ^= uint32(hi >> 32)
	p.DC ^= uint32(q >> 32)
	p.BK ^= uint32(m)
	p.E2 ^= uint32(q)
	p.Base = M0 * (lo & 0xffffffff)
	for r := range p.Keys {
		p.Keys[r][0] = k0
		p.Keys[r][1] = k1
		k0 += W0
		k1 += W1
	}
}

// Advance moves p on by a number of blocks, all within the run of counter word 0
// that Set was told of.
func (p *Params) Advance(blocks uint64) {
	p.Base += M0 * blocks
}

// Lanes is what a kernel reads that writes blocks whose counter word 2 differs, each word
// to memory of its own.
type Lanes struct {
	// Params have everything in the places of the other half: those of counter words 0, 1
	// are of words 2, 3, which a round treats alike.
	Params
	Dst [4]unsafe.Pointer
	// A uniform u becomes u*Span + From, and From where that is To.
	Span, From, To float32
}

// Set fills p for a call whose first block has counter hi*2^64 + lo. A call may not run past
// the last value of counter word 2.
func (p *Lanes) Set(key, hi, lo uint64) {
	k0, k1 := uint32(key), uint32(key>>32)
	m := uint64(M0) * (lo & 0xffffffff)
	a := uint32(m>>32) ^ uint32(hi>>32) ^ k1 // word 2 after round 0
	q := uint64(M1) * uint64(a)
	p.KX = k0 ^ uint32(lo>>32)
	p.DC = k0 + W0 ^ uint32(q>>32)
	p.BK = k1 + W1 ^ uint32(m)
	p.E2 = k0 + W0 + W0 ^ uint32(q)
	p.Base = M1 * (hi & 0xffffffff)
	for r := range p.Keys {
		p.Keys[r] = [2]uint32{k1, k0}
		k0 += W0
		k1 += W1
	}
}

// Advance moves p on by a number of blocks, all within the run of counter word 2 that Set
// was told of.
func (p *Lanes) Advance(blocks uint64) {
	p.Base += M1 * blocks
}

// SliceBytes is the size of a group of the kernels of [Slices]: they take a count of these.
const SliceBytes = 64

// Slices is what the kernels of rosetta/mufu read.
type Slices struct {
	// Src is where the arguments are, Src2 where the second ones are of normals, and Dst2
	// where the second results go.
	Src, Src2, Dst2 unsafe.Pointer
	// Words are where the words of float64 numbers are, those of a number in two or four places.
	Words [4]unsafe.Pointer
	// Numbers are multiplied by Scale, Add is added, and what is End then becomes Add.
	Scale, Add, End float32
	// Outside is not 0 if there was an argument outside of the function's domain, whose
	// result is wrong.
	Outside uint32
}

// A Domain says which float32 arguments a kernel is right for: those whose bits b have
// (b&And)-Lo below Span.
type Domain struct{ And, Lo, Span uint32 }

// Has reports whether the number with the bits b is in the domain.
func (d *Domain) Has(b uint32) bool { return b&d.And-d.Lo < d.Span }

const (
	exponent  = 1 << 23
	magnitude = 1<<31 - 1
	normal    = exponent               // the bits of 2^-126
	infinite  = 255 * exponent         // of infinity
	e126      = 253*exponent + 1       // above 2^126
	tiny      = (127 - 120) * exponent // 2^-120
)

// The domains of the kernels of rosetta/mufu.
var (
	// Angles below 256, whose turns fit 32 bits.
	TurnDomain = Domain{magnitude, 0, (127 + 8) * exponent}
	// Positive normal numbers.
	NormalDomain = Domain{1<<32 - 1, normal, infinite - normal}
	// Powers of 2 below 126.
	Ex2Domain = Domain{magnitude, 0, 0x42fc0000}
	// Powers of e up to 87, without what multiplications make subnormal.
	ExpDomain = Domain{magnitude, tiny, 0x42ae0000 - tiny}
	// Numbers that are normal, and their reciprocals too.
	RcpDomain = Domain{magnitude, normal, e126 - normal}
)

// Scale is what a kernel of normals reads: the mean and the standard deviation,
// as many times as an AVX2 register holds them.
type Scale struct {
	Mean32, Std32 [8]float32
	Mean64, Std64 [4]float64
}

// Set32 fills s for float32.
func (s *Scale) Set32(mean, std float32) {
	for i := range s.Mean32 {
		s.Mean32[i], s.Std32[i] = mean, std
	}
}

// Set64 fills s for float64.
func (s *Scale) Set64(mean, std float64) {
	for i := range s.Mean64 {
		s.Mean64[i], s.Std64[i] = mean, std
	}
}

// Conversion is what the kernels of [Params] read that turn words into numbers
// between bounds or into choices. Vectors are as long as an AVX2 register.
type Conversion struct {
	Params
	// A uniform u becomes u*Span + Lo, at most Below.
	Span32, Lo32, Below32 [8]float32
	Span64, Lo64, Below64 [4]float64
	// A word that is at most Limit becomes One, an element as many times as it fits,
	// and any other one 0.
	Limit [8]uint32
	One   [4]uint64
	// Flip is what the bits of choices are XORed with.
	Flip uint32
	// Table has the uniform bfloat16 by the lower bits of their words.
	Table [128]uint16
}

// SetRange sets the bounds of uniform numbers.
func (c *Conversion) SetRange(span, lo, below float64) {
	for i := range c.Span32 {
		c.Span32[i], c.Lo32[i], c.Below32[i] = float32(span), float32(lo), float32(below)
	}
	for i := range c.Span64 {
		c.Span64[i], c.Lo64[i], c.Below64[i] = span, lo, below
	}
}

// SetChoice sets what words become one, in elements of a size in bytes, and what
// flips their bits.
func (c *Conversion) SetChoice(limit uint32, one uint64, size int, flip uint32) {
	for i := range c.Limit {
		c.Limit[i] = limit
	}
	one &= 1<<(8*size) - 1 // all of it where the size is 8
	for s := 8 * size; s < 64; s *= 2 {
		one |= one << s
	}
	for i := range c.One {
		c.One[i] = one
	}
	c.Flip = flip
}

// Exponential is what a kernel of exponentials reads: the rate and the bounds of the
// numbers, as many times as an AVX2 register holds them.
type Exponential struct {
	TwiceRate32, Least32, Most32 [8]float32
	TwiceRate64, Least64, Most64 [4]float64
}

// Set sets the rate, twice which must be finite, and the bounds.
func (e *Exponential) Set(rate, least, most float64) {
	for i := range e.Least32 {
		e.TwiceRate32[i], e.Least32[i], e.Most32[i] = float32(2*rate), float32(least), float32(most)
	}
	for i := range e.Least64 {
		e.TwiceRate64[i], e.Least64[i], e.Most64[i] = 2*rate, least, most
	}
}

// Move is what a kernel reads that takes elements from one place to another, maybe as
// elements of another size.
type Move struct {
	// Src is where they are.
	Src unsafe.Pointer
	// Lo is added to them, an element as many times as it fits.
	Lo [4]uint64
}

// SetLo sets what is added: to elements of 64 bits if wide, or else to such of 32 bits.
func (m *Move) SetLo(lo uint64, wide bool) {
	if !wide {
		lo = lo<<32 | lo&(1<<32-1)
	}
	for i := range m.Lo {
		m.Lo[i] = lo
	}
}

// Dropout is what a kernel reads that drops elements.
type Dropout struct {
	// Src is where they are, and Mask where their bits are: the least significant first,
	// 1 where an element is kept.
	Src, Mask unsafe.Pointer
	// What is kept is multiplied by this.
	Scale32 float32
	Scale64 float64
}

const (
	// Listed is the number of elements that a Truncation lists.
	Listed = 8192
	// ListedMore is how many more have room behind them, since kernels write and
	// read whole vectors of the list.
	ListedMore = 16
)

// Truncation is what the kernels of truncated normals and of integers work on. Integers
// have no bounds: what is listed of them are the rejected ones.
type Truncation struct {
	// Params are those of the block of element 0 at the attempt that is made.
	Params
	// The bounds, as many times as an AVX2 register holds them.
	Lo32, Hi32 [8]float32
	Lo64, Hi64 [4]float64
	// First is the element at the start of the memory that is looked at.
	First uint64
	// Count elements in List are outside the bounds.
	Count uint64
	// From is the first one in List whose words are made or whose number is stored.
	From uint64
	// Kept is how many of those whose numbers were stored are outside the bounds
	// again. They are at the start of List.
	Kept uint64
	// Base is where the number of element 0 goes.
	Base unsafe.Pointer
	List *List
	// Of the candidates of integers: how many values there are, and below which low half a
	// candidate is rejected.
	N32, Least32 [8]uint32
	N64, Least64 [4]uint64
}

// SetIntegers sets what makes candidates of words.
func (t *Truncation) SetIntegers(n, least uint64) {
	for i := range t.N32 {
		t.N32[i], t.Least32[i] = uint32(n), uint32(least)
	}
	for i := range t.N64 {
		t.N64[i], t.Least64[i] = n, least
	}
}

// A List has the numbers of elements.
type List [Listed + ListedMore]uint32

// SetBounds sets the bounds of float32 and float64 numbers.
func (t *Truncation) SetBounds(lo, hi float64) {
	for i := range t.Lo32 {
		t.Lo32[i], t.Hi32[i] = float32(lo), float32(hi)
	}
	for i := range t.Lo64 {
		t.Lo64[i], t.Hi64[i] = lo, hi
	}
}
