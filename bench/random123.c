//go:build random123 && cgo

#include "random123.h"

#include <Random123/philox.h>

// Clang makes vector code of this form of the loop, and the fastest of the plain
// forms that were tried: a constant stream, a counter word that is the index, a
// 64-bit index. With counter words 2 and 3 as variables it is a seventh slower.
// Blocks of 16 that a pragma of Clang's tells it to vectorise are some 6% faster
// on Zen 5.
static void fill_without_carry(philox4x32_ctr_t *restrict out, uint32_t hi, uint64_t from, uint64_t to, philox4x32_key_t key)
{
	for (uint64_t i = from; i < to; i++) {
		philox4x32_ctr_t c = {{(uint32_t)i, hi, 0, 0}};
		out[i - from] = philox4x32(c, key);
	}
}

static void fill(philox4x32_ctr_t *out, uint64_t blocks, uint64_t first, philox4x32_key_t key)
{
	while (blocks > 0) {
		uint64_t from = (uint32_t)first, n = (UINT64_C(1) << 32) - from;
		if (n > blocks)
			n = blocks;
		fill_without_carry(out, first >> 32, from, from + n, key);
		out += n;
		first += n;
		blocks -= n;
	}
}

void random123_fill(void *out, uint64_t blocks, uint64_t first, uint64_t seed, uint64_t times)
{
	philox4x32_key_t key = {{(uint32_t)seed, seed >> 32}};
	while (times-- > 0) {
		fill(out, blocks, first, key);
		// Somebody might look at the numbers here, so no repetition can be dropped.
		__asm__ volatile("" : : "r"(out) : "memory");
	}
}

#define TEXT(x) #x
#define NUMBER(x) TEXT(x)

const char *random123_compiler(void)
{
#if defined __clang__
	return "clang " NUMBER(__clang_major__);
#elif defined __GNUC__
	return "gcc " NUMBER(__GNUC__);
#else
	return __VERSION__;
#endif
}
