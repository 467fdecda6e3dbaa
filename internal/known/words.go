package known

import "math/big"

// CounterOf returns the counter whose Philox4x32-10 block holds some words: a block is a
// permutation for each key, so a test can bring any word it likes through a real fill.
func CounterOf(key [2]uint32, words [4]uint32) [4]uint32 {
	const m0, m1 = 0xD2511F53, 0xCD9E8D57 // Salmon et al., SC 2011
	inverse := func(m int64) uint32 {
		return uint32(new(big.Int).ModInverse(big.NewInt(m), big.NewInt(1<<32)).Uint64())
	}
	inv0, inv1 := inverse(m0), inverse(m1)
	c := words
	for r := 9; r >= 0; r-- {
		k0, k1 := key[0]+uint32(r)*0x9E3779B9, key[1]+uint32(r)*0xBB67AE85
		c0, c2 := c[3]*inv0, c[1]*inv1
		c = [4]uint32{
			c0, c[0] ^ uint32(m1*uint64(c2)>>32) ^ k0,
			c2, c[2] ^ uint32(m0*uint64(c0)>>32) ^ k1,
		}
	}
	return c
}
