//go:build linux && cgo

#include "driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// The driver's interface as far as it is used here. All its functions return a CUresult,
// which is an int.
typedef int device_t;
typedef struct context *context_t;
typedef struct stream *stream_t;
typedef struct event *event_t;
typedef struct graph *graph_t;
typedef struct executable *executable_t;
typedef struct module *module_t;
typedef struct function *function_t;
typedef uintptr_t pointer_t;

enum {
	MULTIPROCESSOR_COUNT = 16,
	COMPUTE_CAPABILITY_MAJOR = 75,
	COMPUTE_CAPABILITY_MINOR = 76,
	STREAM_NON_BLOCKING = 1,
	// A capture in another mode must end on the thread on which it began, and forbids that
	// thread calls that would be of no harm. Here, every call may be on another thread.
	STREAM_CAPTURE_MODE_RELAXED = 2,
	STREAM_CAPTURE_UNSUPPORTED = 900,
	JIT_ERROR_LOG_BUFFER = 5,
	JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
};

// Each with its symbol's suffix: those with a second version have had it in every
// driver since CUDA 11.8 or longer.
#define CALLS(X)                                                                                        \
	X(cuInit, "", (unsigned flags))                                                                     \
	X(cuDriverGetVersion, "", (int *version))                                                           \
	X(cuGetErrorName, "", (int code, const char **text))                                                \
	X(cuGetErrorString, "", (int code, const char **text))                                              \
	X(cuDeviceGetCount, "", (int *count))                                                               \
	X(cuDeviceGet, "", (device_t *device, int index))                                                   \
	X(cuDeviceGetName, "", (char *name, int size, device_t device))                                     \
	X(cuDeviceGetAttribute, "", (int *value, int attribute, device_t device))                           \
	X(cuDeviceTotalMem, "_v2", (size_t *bytes, device_t device))                                        \
	X(cuDevicePrimaryCtxRetain, "", (context_t *context, device_t device))                              \
	X(cuDevicePrimaryCtxRelease, "_v2", (device_t device))                                              \
	X(cuCtxPushCurrent, "_v2", (context_t context))                                                     \
	X(cuCtxPopCurrent, "_v2", (context_t *context))                                                     \
	X(cuCtxSynchronize, "", (void))                                                                     \
	X(cuMemGetInfo, "_v2", (size_t *free, size_t *total))                                               \
	X(cuMemAlloc, "_v2", (pointer_t *pointer, size_t bytes))                                            \
	X(cuMemFree, "_v2", (pointer_t pointer))                                                            \
	X(cuMemcpyHtoDAsync, "_v2", (pointer_t to, const void *from, size_t bytes, stream_t stream))        \
	X(cuMemcpyDtoHAsync, "_v2", (void *to, pointer_t from, size_t bytes, stream_t stream))              \
	X(cuMemsetD8Async, "", (pointer_t pointer, unsigned char value, size_t bytes, stream_t stream))     \
	X(cuStreamCreate, "", (stream_t *stream, unsigned flags))                                           \
	X(cuStreamDestroy, "_v2", (stream_t stream))                                                        \
	X(cuStreamSynchronize, "", (stream_t stream))                                                       \
	X(cuStreamWaitEvent, "", (stream_t stream, event_t event, unsigned flags))                          \
	X(cuStreamIsCapturing, "", (stream_t stream, int *status))                                          \
	X(cuStreamBeginCapture, "_v2", (stream_t stream, int mode))                                         \
	X(cuStreamEndCapture, "", (stream_t stream, graph_t *graph))                                        \
	X(cuEventCreate, "", (event_t *event, unsigned flags))                                              \
	X(cuEventDestroy, "_v2", (event_t event))                                                           \
	X(cuEventRecord, "", (event_t event, stream_t stream))                                              \
	X(cuEventSynchronize, "", (event_t event))                                                          \
	X(cuEventQuery, "", (event_t event))                                                                \
	X(cuEventElapsedTime, "", (float *ms, event_t from, event_t to))                                    \
	X(cuGraphInstantiateWithFlags, "", (executable_t *executable, graph_t graph, unsigned long long flags)) \
	X(cuGraphLaunch, "", (executable_t executable, stream_t stream))                                    \
	X(cuGraphExecDestroy, "", (executable_t executable))                                                \
	X(cuGraphDestroy, "", (graph_t graph))                                                              \
	X(cuModuleLoadDataEx, "", (module_t *module, const void *image, unsigned count, int *options, void **values)) \
	X(cuModuleUnload, "", (module_t module))                                                            \
	X(cuModuleGetFunction, "", (function_t *function, module_t module, const char *name))               \
	X(cuLaunchKernel, "", (function_t function, unsigned grid_x, unsigned grid_y, unsigned grid_z,      \
		unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, stream_t stream,         \
		void **params, void **extra))

// Written by philox_cuda_open alone.
static struct {
#define X(name, suffix, params) int (*name) params;
	CALLS(X)
#undef X
} driver;

int philox_cuda_open(const char *library, char *text, size_t size) {
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (handle == NULL) {
		const char *reason = dlerror();
		snprintf(text, size, "%s", reason != NULL ? reason : library);
		return 1;
	}
#define X(name, suffix, params)                                                \
	*(void **)&driver.name = dlsym(handle, #name suffix);                      \
	if (driver.name == NULL) {                                                 \
		snprintf(text, size, "%s has no function " #name suffix, library);     \
		dlclose(handle);                                                       \
		return 2;                                                              \
	}
	CALLS(X)
#undef X
	return 0;
}

const char *philox_cuda_error_name(int code) {
	const char *text = NULL;
	return driver.cuGetErrorName(code, &text) == 0 ? text : NULL;
}

const char *philox_cuda_error_text(int code) {
	const char *text = NULL;
	return driver.cuGetErrorString(code, &text) == 0 ? text : NULL;
}

typedef philox_cuda_result result;

#define CALL(name, ...) ((result){driver.name(__VA_ARGS__), #name})

// Returns from the function that it is in if a call fails.
#define TRY(name, ...)                           \
	do {                                         \
		result tried = CALL(name, __VA_ARGS__);  \
		if (tried.code != 0) return tried;       \
	} while (0)

static result push(uintptr_t context) {
	return CALL(cuCtxPushCurrent, (context_t)context);
}

// Makes current again what was so before, and returns r or, if that was no failure, its own.
static result pop(result r) {
	context_t popped;
	result p = CALL(cuCtxPopCurrent, &popped);
	return r.code != 0 ? r : p;
}

// The whole of a function that makes one call.
#define WITHIN(context, name, ...)               \
	result r = push(context);                    \
	if (r.code != 0) return r;                   \
	return pop(CALL(name, __VA_ARGS__))

result philox_cuda_init(void) {
	return CALL(cuInit, 0);
}

result philox_cuda_count(int *count) {
	return CALL(cuDeviceGetCount, count);
}

result philox_cuda_describe(int index, philox_cuda_device *d) {
	device_t device;
	size_t bytes = 0;
	TRY(cuDeviceGet, &device, index);
	TRY(cuDeviceGetName, d->name, sizeof d->name, device);
	TRY(cuDeviceTotalMem, &bytes, device);
	d->memory = bytes;
	TRY(cuDeviceGetAttribute, &d->major, COMPUTE_CAPABILITY_MAJOR, device);
	TRY(cuDeviceGetAttribute, &d->minor, COMPUTE_CAPABILITY_MINOR, device);
	TRY(cuDeviceGetAttribute, &d->multiprocessors, MULTIPROCESSOR_COUNT, device);
	return CALL(cuDriverGetVersion, &d->version);
}

result philox_cuda_retain(int index, uintptr_t *context) {
	device_t device;
	TRY(cuDeviceGet, &device, index);
	return CALL(cuDevicePrimaryCtxRetain, (context_t *)context, device);
}

result philox_cuda_release(int index) {
	device_t device;
	TRY(cuDeviceGet, &device, index);
	return CALL(cuDevicePrimaryCtxRelease, device);
}

result philox_cuda_memory_info(uintptr_t context, uint64_t *free, uint64_t *total) {
	size_t f = 0, t = 0;
	result r = push(context);
	if (r.code != 0) return r;
	r = pop(CALL(cuMemGetInfo, &f, &t));
	*free = f;
	*total = t;
	return r;
}

result philox_cuda_sync(uintptr_t context) {
	WITHIN(context, cuCtxSynchronize);
}

result philox_cuda_destroy(uintptr_t context, int kind, uintptr_t handle) {
	result r = push(context);
	if (r.code != 0) return r;
	switch (kind) {
	case philox_cuda_memory:
		return pop(CALL(cuMemFree, handle));
	case philox_cuda_stream:
		return pop(CALL(cuStreamDestroy, (stream_t)handle));
	case philox_cuda_event:
		return pop(CALL(cuEventDestroy, (event_t)handle));
	case philox_cuda_graph:
		return pop(CALL(cuGraphExecDestroy, (executable_t)handle));
	default:
		return pop(CALL(cuModuleUnload, (module_t)handle));
	}
}

result philox_cuda_stream_create(uintptr_t context, uintptr_t *stream) {
	WITHIN(context, cuStreamCreate, (stream_t *)stream, STREAM_NON_BLOCKING);
}

result philox_cuda_stream_sync(uintptr_t context, uintptr_t stream) {
	WITHIN(context, cuStreamSynchronize, (stream_t)stream);
}

result philox_cuda_stream_capturing(uintptr_t context, uintptr_t stream, int *capturing) {
	WITHIN(context, cuStreamIsCapturing, (stream_t)stream, capturing);
}

result philox_cuda_stream_wait(uintptr_t context, uintptr_t stream, uintptr_t event) {
	WITHIN(context, cuStreamWaitEvent, (stream_t)stream, (event_t)event, 0);
}

result philox_cuda_event_record(uintptr_t context, uintptr_t stream, uintptr_t *event) {
	event_t e = NULL;
	result r = push(context);
	if (r.code != 0) return r;
	r = CALL(cuEventCreate, &e, 0);
	if (r.code == 0) {
		r = CALL(cuEventRecord, e, (stream_t)stream);
		if (r.code != 0) driver.cuEventDestroy(e);
	}
	*event = (uintptr_t)e;
	return pop(r);
}

result philox_cuda_event_sync(uintptr_t context, uintptr_t event) {
	WITHIN(context, cuEventSynchronize, (event_t)event);
}

result philox_cuda_event_query(uintptr_t context, uintptr_t event) {
	WITHIN(context, cuEventQuery, (event_t)event);
}

result philox_cuda_event_elapsed(uintptr_t context, uintptr_t from, uintptr_t to, float *ms) {
	WITHIN(context, cuEventElapsedTime, ms, (event_t)from, (event_t)to);
}

result philox_cuda_capture_begin(uintptr_t context, uintptr_t stream) {
	WITHIN(context, cuStreamBeginCapture, (stream_t)stream, STREAM_CAPTURE_MODE_RELAXED);
}

result philox_cuda_capture_end(uintptr_t context, uintptr_t stream, int keep, uintptr_t *graph) {
	graph_t captured = NULL;
	result r = push(context);
	if (r.code != 0) return r;
	r = CALL(cuStreamEndCapture, (stream_t)stream, &captured);
	if (r.code == 0 && keep) {
		r = CALL(cuGraphInstantiateWithFlags, (executable_t *)graph, captured, 0);
	}
	if (captured != NULL) driver.cuGraphDestroy(captured);
	return pop(r);
}

result philox_cuda_graph_launch(uintptr_t context, uintptr_t graph, uintptr_t stream) {
	WITHIN(context, cuGraphLaunch, (executable_t)graph, (stream_t)stream);
}

result philox_cuda_alloc(uintptr_t context, size_t bytes, uintptr_t *pointer) {
	WITHIN(context, cuMemAlloc, pointer, bytes);
}

result philox_cuda_set(uintptr_t context, uintptr_t pointer, uint8_t value, size_t bytes, uintptr_t stream) {
	WITHIN(context, cuMemsetD8Async, pointer, value, bytes, (stream_t)stream);
}

// A copy that is waited for cannot be captured. To ask first leaves the capture alive, and keeps
// the address of host memory out of it.
static result copyable(uintptr_t stream) {
	int capturing = 0;
	result r = CALL(cuStreamIsCapturing, (stream_t)stream, &capturing);
	if (r.code == 0 && capturing) r = (result){STREAM_CAPTURE_UNSUPPORTED, "cuStreamSynchronize"};
	return r;
}

result philox_cuda_copy_in(uintptr_t context, uintptr_t pointer, const void *host, size_t bytes, uintptr_t stream) {
	result r = push(context);
	if (r.code != 0) return r;
	r = copyable(stream);
	if (r.code == 0) r = CALL(cuMemcpyHtoDAsync, pointer, host, bytes, (stream_t)stream);
	if (r.code == 0) r = CALL(cuStreamSynchronize, (stream_t)stream);
	return pop(r);
}

result philox_cuda_copy_out(uintptr_t context, void *host, uintptr_t pointer, size_t bytes, uintptr_t stream) {
	result r = push(context);
	if (r.code != 0) return r;
	r = copyable(stream);
	if (r.code == 0) r = CALL(cuMemcpyDtoHAsync, host, pointer, bytes, (stream_t)stream);
	if (r.code == 0) r = CALL(cuStreamSynchronize, (stream_t)stream);
	return pop(r);
}

result philox_cuda_module_load(uintptr_t context, const void *image, uintptr_t *module, char *log, size_t size) {
	int options[] = {JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)(uintptr_t)size}; // a number, where a pointer is expected
	WITHIN(context, cuModuleLoadDataEx, (module_t *)module, image, 2, options, values);
}

result philox_cuda_module_function(uintptr_t context, uintptr_t module, const char *name, uintptr_t *function) {
	WITHIN(context, cuModuleGetFunction, (function_t *)function, (module_t)module, name);
}

result philox_cuda_launch(uintptr_t context, uintptr_t function, unsigned grid, unsigned block, uintptr_t stream, const void *fill, const void *args) {
	void *params[] = {(void *)fill, (void *)args};
	WITHIN(context, cuLaunchKernel, (function_t)function, grid, 1, 1, block, 1, 1, 0, (stream_t)stream, params, NULL);
}
