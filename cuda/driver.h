//go:build linux && cgo

// The driver's calls, each with its context made current on the calling thread for
// as long as it takes. Handles and device addresses are numbers.

#ifndef PHILOX_CUDA_DRIVER_H
#define PHILOX_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

// What a call gave; if code is not 0, which of the driver's functions gave it.
typedef struct {
	int code;
	const char *call;
} philox_cuda_result;

typedef struct {
	char name[256];
	uint64_t memory;
	int major, minor, multiprocessors, version;
} philox_cuda_device;

// What philox_cuda_destroy destroys.
enum {
	philox_cuda_memory,
	philox_cuda_stream,
	philox_cuda_event,
	philox_cuda_graph,
	philox_cuda_module_image,
};

// philox_cuda_open opens a library and finds the driver's functions in it. It returns
// 0, or else 1 if it cannot be opened and 2 if it lacks a function, with the reason in
// text. It is called by one thread, before all else here.
int philox_cuda_open(const char *library, char *text, size_t size);

// These return NULL if the driver has no text for the code.
const char *philox_cuda_error_name(int code);
const char *philox_cuda_error_text(int code);

philox_cuda_result philox_cuda_init(void);
philox_cuda_result philox_cuda_count(int *count);
philox_cuda_result philox_cuda_describe(int index, philox_cuda_device *device);
philox_cuda_result philox_cuda_retain(int index, uintptr_t *context);
philox_cuda_result philox_cuda_release(int index);

philox_cuda_result philox_cuda_memory_info(uintptr_t context, uint64_t *free, uint64_t *total);
philox_cuda_result philox_cuda_sync(uintptr_t context);
philox_cuda_result philox_cuda_destroy(uintptr_t context, int kind, uintptr_t handle);

philox_cuda_result philox_cuda_stream_create(uintptr_t context, uintptr_t *stream);
philox_cuda_result philox_cuda_stream_sync(uintptr_t context, uintptr_t stream);
philox_cuda_result philox_cuda_stream_capturing(uintptr_t context, uintptr_t stream, int *capturing);
philox_cuda_result philox_cuda_stream_wait(uintptr_t context, uintptr_t stream, uintptr_t event);

philox_cuda_result philox_cuda_event_record(uintptr_t context, uintptr_t stream, uintptr_t *event);
philox_cuda_result philox_cuda_event_sync(uintptr_t context, uintptr_t event);
philox_cuda_result philox_cuda_event_query(uintptr_t context, uintptr_t event);
philox_cuda_result philox_cuda_event_elapsed(uintptr_t context, uintptr_t from, uintptr_t to, float *ms);

philox_cuda_result philox_cuda_capture_begin(uintptr_t context, uintptr_t stream);
// The capture ends in any case. What it holds is made a graph, or, if keep is 0, dropped.
philox_cuda_result philox_cuda_capture_end(uintptr_t context, uintptr_t stream, int keep, uintptr_t *graph);
philox_cuda_result philox_cuda_graph_launch(uintptr_t context, uintptr_t graph, uintptr_t stream);

philox_cuda_result philox_cuda_alloc(uintptr_t context, size_t bytes, uintptr_t *pointer);
philox_cuda_result philox_cuda_set(uintptr_t context, uintptr_t pointer, uint8_t value, size_t bytes, uintptr_t stream);
// The copies are queued and waited for.
philox_cuda_result philox_cuda_copy_in(uintptr_t context, uintptr_t pointer, const void *host, size_t bytes, uintptr_t stream);
philox_cuda_result philox_cuda_copy_out(uintptr_t context, void *host, uintptr_t pointer, size_t bytes, uintptr_t stream);

// What the compiler says of an image that it refuses is in log.
philox_cuda_result philox_cuda_module_load(uintptr_t context, const void *image, uintptr_t *module, char *log, size_t size);
philox_cuda_result philox_cuda_module_function(uintptr_t context, uintptr_t module, const char *name, uintptr_t *function);
philox_cuda_result philox_cuda_launch(uintptr_t context, uintptr_t function, unsigned grid, unsigned block, uintptr_t stream, const void *fill, const void *args);

#endif
