// The kernels of philox.cu, compiled for the processor.

#include "kernels.h"

#include "philox.cu"

#include <pthread.h>
#include <unistd.h>

#define EACH(name) \
	static void thread_##name(const void *fill, const void *args) { name(*(const Fill *)fill, *(const Args *)args); }
PHILOX_KERNELS(EACH)
#ifdef PHILOX_SINGLE
PHILOX_SINGLE(EACH)
#endif
#undef EACH

extern "C" const struct kernel kernels[] = {
#define EACH(name) {#name, thread_##name, 0},
	PHILOX_KERNELS(EACH)
#undef EACH
#ifdef PHILOX_SINGLE
#define EACH(name) {#name, thread_##name, 1},
	PHILOX_SINGLE(EACH)
#undef EACH
#endif
};

const size_t kernel_count = sizeof kernels / sizeof *kernels;
const size_t fill_size = sizeof(Fill), args_size = sizeof(Args);

// What threads share of a launch.
struct shared_launch {
	void (*thread)(const void *fill, const void *args);
	const void *fill, *args;
	unsigned grid, block;
	unsigned next; // block that is to be run
};

static void *run_blocks(void *of) {
	shared_launch *l = (shared_launch *)of;
	gridDim = {l->grid, 1, 1};
	blockDim = {l->block, 1, 1};
	for (;;) {
		const unsigned b = __atomic_fetch_add(&l->next, 1, __ATOMIC_RELAXED);
		if (b >= l->grid) return NULL;
		blockIdx = {b, 0, 0};
		for (unsigned t = 0; t < l->block; t++) {
			threadIdx = {t, 0, 0};
			l->thread(l->fill, l->args);
		}
	}
}

// Asked for once, since that reads a file.
static const long processors = sysconf(_SC_NPROCESSORS_ONLN);

// What a block needs of time is far less than a thread needs to start.
void kernel_run(const struct kernel *kernel, const void *fill, const void *args, unsigned grid, unsigned block) {
	enum { most = 16, blocks_each = 64 };
	pthread_t others[most];
	shared_launch l = {kernel->thread, fill, args, grid, block, 0};
	unsigned n = 0;
	while (n < most && (long)n + 1 < processors && (n + 1) * blocks_each < grid) {
		if (pthread_create(&others[n], NULL, run_blocks, &l) != 0) break;
		n++;
	}
	run_blocks(&l);
	while (n > 0) pthread_join(others[--n], NULL);
}
