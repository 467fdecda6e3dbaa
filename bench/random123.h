#include <stdint.h>

// random123_fill writes blocks first, first+1, ... of stream 0 of a seed to out,
// times times.
void random123_fill(void *out, uint64_t blocks, uint64_t first, uint64_t seed, uint64_t times);

// random123_compiler names what compiled the above.
const char *random123_compiler(void);
