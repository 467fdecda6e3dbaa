// The kernels of philox.cu, as driver.c calls them.

#ifndef KERNELS_H
#define KERNELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct kernel {
	const char *name;
	void (*thread)(const void *fill, const void *args); // the work of one thread
	int single;                                         // whether it has but one block
};

extern const struct kernel kernels[];
extern const size_t kernel_count;

// The sizes of what kernels are given.
extern const size_t fill_size, args_size;

// kernel_run does the work of all threads of all blocks.
void kernel_run(const struct kernel *kernel, const void *fill, const void *args, unsigned grid, unsigned block);

#ifdef __cplusplus
}
#endif

#endif
