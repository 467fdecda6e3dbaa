package asm

import "github.com/philox-go/rng/internal/layout"

// Block returns the four words of Philox4x32-10 for one counter and key.
func Block(key [2]uint32, ctr [4]uint32) [4]uint32 {
	c0, c1, c2, c3 := ten(ctr[0], ctr[1], ctr[2], ctr[3], key[0], key[1])
	return [4]uint32{c0, c1, c2, c3}
}

// Block7 is Philox4x32-7.
func Block7(key [2]uint32, ctr [4]uint32) [4]uint32 {
	c0, c1, c2, c3 := ctr[0], ctr[1], ctr[2], ctr[3]
	k0, k1 := key[0], key[1]
	for range 7 {
		c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
		k0 += layout.W0
		k1 += layout.W1
	}
	return [4]uint32{c0, c1, c2, c3}
}

// round is one round of Philox4x32.
func round(c0, c1, c2, c3, k0, k1 uint32) (uint32, uint32, uint32, uint32) {
	p0 := layout.M0 * uint64(c0)
	p1 := layout.M1 * uint64(c2)
	return uint32(p1>>32) ^ c1 ^ k0, uint32(p1), uint32(p0>>32) ^ c3 ^ k1, uint32(p0)
}

// ten makes ten rounds. Written out, it runs at nearly twice the speed of a loop,
// since the key schedule becomes additions of constants.
func ten(c0, c1, c2, c3, k0, k1 uint32) (uint32, uint32, uint32, uint32) {
	const w0, w1 = layout.W0, layout.W1
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0, k1)
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0+w0, k1+w1)
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0+2*w0&0xffffffff, k1+2*w1&0xffffffff)
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0+3*w0&0xffffffff, k1+3*w1&0xffffffff)
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0+4*w0&0xffffffff, k1+4*w1&0xffffffff)
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0+5*w0&0xffffffff, k1+5*w1&0xffffffff)
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0+6*w0&0xffffffff, k1+6*w1&0xffffffff)
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0+7*w0&0xffffffff, k1+7*w1&0xffffffff)
	c0, c1, c2, c3 = round(c0, c1, c2, c3, k0+8*w0&0xffffffff, k1+8*w1&0xffffffff)
	return round(c0, c1, c2, c3, k0+9*w0&0xffffffff, k1+9*w1&0xffffffff)
}
