// A driver of CUDA without a device, for tests. With kernels.cc it runs those of philox.cu on the
// processor; without, it does nothing where it should run them. All that is queued runs at once.
// It is stricter than the true one where that finds mistakes, and takes orders from the
// environment whenever it is called:
//
//	FAKE_CUDA_DEVICES=n             how many devices there are, 2 unless set
//	FAKE_CUDA_FAIL=cuInit=100,...   calls that do nothing but fail, and with what
//	FAKE_CUDA_TRACE=file            gets a line for every call
//
// Device memory ends at a page that cannot be touched, or begins after one, in turns.

#include "kernels.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))

enum {
	SUCCESS = 0,
	INVALID_VALUE = 1,
	OUT_OF_MEMORY = 2,
	NOT_INITIALIZED = 3,
	NO_DEVICE = 100,
	INVALID_DEVICE = 101,
	INVALID_CONTEXT = 201,
	INVALID_PTX = 218,
	INVALID_HANDLE = 400,
	ILLEGAL_STATE = 401,
	NOT_FOUND = 500,
	NOT_READY = 600,
	LAUNCH_OUT_OF_RESOURCES = 701,
	CONTEXT_IS_DESTROYED = 709,
	CAPTURE_UNSUPPORTED = 900,
	CAPTURE_INVALIDATED = 901,
	CAPTURE_ISOLATION = 905,
	CAPTURE_WRONG_THREAD = 908,
	CAPTURED_EVENT = 907,
};

static const struct {
	int code;
	const char *name, *text;
} errors[] = {
	{INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	{INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	{INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	{ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
	{NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	{NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
	{700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	{LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
	{CONTEXT_IS_DESTROYED, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
	{CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
	{CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
	{CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "dependency created on uncaptured work in another stream"},
	{CAPTURE_WRONG_THREAD, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD", "attempt to terminate a thread-local capture sequence from another thread"},
	{CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT", "operation not permitted on an event last recorded in a capturing stream"},
};

// One lock for all that follows, but for kernels and memory that they write, which run
// without it.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void wrong(const char *what, const void *where) {
	fprintf(stderr, "fake driver: %s: %p\n", what, where);
	abort();
}

static void *allocated(size_t size) {
	void *p = calloc(1, size);
	if (p == NULL) wrong("no memory", p);
	return p;
}

// What a call must fail with, or 0.
static int planned(const char *call) {
	const char *trace = getenv("FAKE_CUDA_TRACE"), *plan = getenv("FAKE_CUDA_FAIL");
	if (trace != NULL && *trace != 0) {
		FILE *f = fopen(trace, "a");
		if (f == NULL) wrong("cannot write the trace", trace);
		fprintf(f, "%s\n", call);
		fclose(f);
	}
	size_t length = strlen(call);
	while (plan != NULL && *plan != 0) {
		if (strncmp(plan, call, length) == 0 && plan[length] == '=') return atoi(plan + length + 1);
		plan = strchr(plan, ',');
		if (plan != NULL) plan++;
	}
	return 0;
}

#define BEGIN(call)                       \
	do {                                  \
		int code = planned(call);         \
		if (code != 0) return code;       \
	} while (0)

// Contexts.

enum { most_devices = 8, most_current = 16 };

static struct context {
	int references;
	int pushed; // on all threads
	size_t used;
} contexts[most_devices];

static const size_t total = (size_t)64 << 30;

static int initialized;

static __thread struct context *stack[most_current];
static __thread int depth;

static int devices(void) {
	const char *n = getenv("FAKE_CUDA_DEVICES");
	return n != NULL && *n != 0 ? atoi(n) : 2;
}

// Returns from the function it is in unless a live context is current.
#define CURRENT(call, c)                                  \
	BEGIN(call);                                          \
	if (depth == 0) return INVALID_CONTEXT;               \
	struct context *c = stack[depth - 1];                 \
	if (c->references == 0) return CONTEXT_IS_DESTROYED

// Handles: every object ever made, so that an old one is told from one never made.

enum kind { STREAM, EVENT, GRAPH, EXECUTABLE, MODULE, FUNCTION };

struct object {
	enum kind kind;
	int dead;
	struct context *context;
	struct object *next;
	// Of a stream:
	int capturing, invalid, mode;
	pthread_t thread;
	// Of an event:
	int captured, recorded;
	struct timespec when;
	// Of a module:
	char *image;
	// Of a function:
	const struct kernel *kernel;
	// Of a stream that is capturing, a graph and an executable one:
	struct node *nodes;
};

static struct object *objects;

static struct object *made(struct context *c, enum kind k) {
	struct object *o = allocated(sizeof *o);
	o->kind = k;
	o->context = c;
	pthread_mutex_lock(&lock);
	o->next = objects;
	objects = o;
	pthread_mutex_unlock(&lock);
	return o;
}

// Returns the live object of a handle, or NULL.
static struct object *found(struct context *c, enum kind k, const void *handle) {
	struct object *o;
	pthread_mutex_lock(&lock);
	for (o = objects; o != NULL && o != handle; o = o->next) {
	}
	pthread_mutex_unlock(&lock);
	return o != NULL && !o->dead && o->kind == k && o->context == c ? o : NULL;
}

static struct object legacy[most_devices]; // handle 0

static struct object *stream_of(struct context *c, const void *handle) {
	if (handle != NULL) return found(c, STREAM, handle);
	struct object *o = &legacy[c - contexts];
	o->context = c;
	return o;
}

#define FOUND(o, c, kind, handle)                         \
	struct object *o = found(c, kind, handle);            \
	if (o == NULL) return INVALID_HANDLE

#define FOUND_STREAM(o, c, handle)                        \
	struct object *o = stream_of(c, handle);              \
	if (o == NULL) return INVALID_HANDLE

// Memory. What an allocation has around it in its own pages is filled with canary bytes.

struct allocation {
	struct context *context;
	uintptr_t pointer;
	size_t bytes;
	char *pages; // without the two that cannot be touched
	size_t room;
	struct allocation *next;
};

static struct allocation *allocations;
static unsigned turn;

enum { canary = 0xc5 };

static void check_canaries(const struct allocation *a) {
	const unsigned char *p = (const unsigned char *)a->pages, *begin = (const unsigned char *)a->pointer;
	const unsigned char *end = begin + a->bytes, *last = p + a->room;
	for (; p < begin; p++) {
		if (*p != canary) wrong("memory was written before an allocation", p);
	}
	for (p = end; p < last; p++) {
		if (*p != canary) wrong("memory was written after an allocation", p);
	}
}

static int memory_alloc(struct context *c, uintptr_t *pointer, size_t bytes) {
	size_t page = (size_t)sysconf(_SC_PAGESIZE), room;
	if (bytes == 0) return INVALID_VALUE;
	pthread_mutex_lock(&lock);
	int fits = bytes <= total - c->used;
	if (fits) c->used += bytes;
	int at_end = turn++ % 2;
	pthread_mutex_unlock(&lock);
	if (!fits) return OUT_OF_MEMORY;
	room = (bytes + page - 1) / page * page;
	char *pages = (char *)mmap(NULL, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (pages == MAP_FAILED) wrong("mmap failed", NULL);
	pages += page;
	if (mprotect(pages, room, PROT_READ | PROT_WRITE) != 0) wrong("mprotect failed", pages);
	struct allocation *a = allocated(sizeof *a);
	a->context = c;
	a->bytes = bytes;
	a->pages = pages;
	a->room = room;
	// Vectors of four words are as aligned as kernels need it.
	a->pointer = (uintptr_t)pages + (at_end ? (room - bytes) / 16 * 16 : 0);
	memset(pages, canary, a->pointer - (uintptr_t)pages);
	memset((char *)a->pointer + bytes, canary, (uintptr_t)pages + room - a->pointer - bytes);
	pthread_mutex_lock(&lock);
	a->next = allocations;
	allocations = a;
	pthread_mutex_unlock(&lock);
	*pointer = a->pointer;
	return SUCCESS;
}

// The addresses are never used again, so that late writes are found.
static void memory_free(struct allocation *a) {
	check_canaries(a);
	if (mmap(a->pages, a->room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
		wrong("mmap failed", a->pages);
	}
	a->context->used -= a->bytes;
	free(a);
}

// Whether all of a piece of memory is allocated in a context.
static int allocated_in(struct context *c, uintptr_t pointer, size_t bytes) {
	struct allocation *a;
	pthread_mutex_lock(&lock);
	for (a = allocations; a != NULL; a = a->next) {
		if (a->context == c && pointer >= a->pointer && bytes <= a->bytes && pointer - a->pointer <= a->bytes - bytes) break;
	}
	pthread_mutex_unlock(&lock);
	return a != NULL;
}

// Kernels.

struct launch {
	const struct kernel *kernel;
	void *fill, *args; // copies
	unsigned grid, block;
};

static void *copied(const void *from, size_t size) {
	return memcpy(allocated(size), from, size);
}

#ifdef WITHOUT_KERNELS
// There is every kernel but those whose names begin with "absent".
const size_t fill_size = 1, args_size = 1;

static const struct kernel *kernel_named(const char *name) {
	static const struct kernel any;
	return strncmp(name, "absent", strlen("absent")) == 0 ? NULL : &any;
}

void kernel_run(const struct kernel *k, const void *fill, const void *args, unsigned grid, unsigned block) {
	(void)k, (void)fill, (void)args, (void)grid, (void)block;
}
#else
static const struct kernel *kernel_named(const char *name) {
	for (size_t i = 0; i < kernel_count; i++) {
		if (strcmp(kernels[i].name, name) == 0) return &kernels[i];
	}
	return NULL;
}
#endif

// What is captured.

struct node {
	struct node *next;
	int is_set;
	struct launch launch;
	uintptr_t pointer;
	size_t bytes;
	unsigned char value;
};

static void append(struct object *to, const struct node *n) {
	struct node *copy = allocated(sizeof *copy), **end = &to->nodes;
	*copy = *n;
	copy->next = NULL;
	if (!n->is_set) {
		copy->launch.fill = copied(n->launch.fill, fill_size);
		copy->launch.args = copied(n->launch.args, args_size);
	}
	while (*end != NULL) end = &(*end)->next;
	*end = copy;
}

static void append_all(struct object *to, const struct object *from) {
	for (const struct node *n = from->nodes; n != NULL; n = n->next) append(to, n);
}

static int perform(struct context *c, const struct node *n) {
	if (!n->is_set) {
		kernel_run(n->launch.kernel, n->launch.fill, n->launch.args, n->launch.grid, n->launch.block);
		return SUCCESS;
	}
	if (!allocated_in(c, n->pointer, n->bytes)) return INVALID_VALUE;
	memset((void *)n->pointer, n->value, n->bytes);
	return SUCCESS;
}

static int queue(struct context *c, struct object *stream, const struct node *n) {
	if (!stream->capturing) return perform(c, n);
	if (stream->invalid) return CAPTURE_INVALIDATED;
	append(stream, n);
	return SUCCESS;
}

// Calls that wait break a capture.
#define NOT_CAPTURING(stream)                             \
	if ((stream)->capturing) {                            \
		(stream)->invalid = 1;                            \
		return CAPTURE_UNSUPPORTED;                       \
	}

// The interface.

API int cuInit(unsigned flags) {
	BEGIN("cuInit");
	if (flags != 0) return INVALID_VALUE;
	if (devices() == 0) return NO_DEVICE;
	initialized = 1;
	return SUCCESS;
}

API int cuDriverGetVersion(int *version) {
	BEGIN("cuDriverGetVersion");
	*version = 12040;
	return SUCCESS;
}

static int described(int code, const char **name, const char **text) {
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		if (errors[i].code == code) {
			*name = errors[i].name;
			*text = errors[i].text;
			return SUCCESS;
		}
	}
	*name = *text = NULL;
	return INVALID_VALUE;
}

API int cuGetErrorName(int code, const char **name) {
	const char *text;
	return described(code, name, &text);
}

API int cuGetErrorString(int code, const char **text) {
	const char *name;
	return described(code, &name, text);
}

API int cuDeviceGetCount(int *count) {
	BEGIN("cuDeviceGetCount");
	if (!initialized) return NOT_INITIALIZED;
	*count = devices();
	return SUCCESS;
}

API int cuDeviceGet(int *device, int index) {
	BEGIN("cuDeviceGet");
	if (!initialized) return NOT_INITIALIZED;
	if (index < 0 || index >= devices() || index >= most_devices) return INVALID_DEVICE;
	*device = index;
	return SUCCESS;
}

API int cuDeviceGetName(char *name, int size, int device) {
	BEGIN("cuDeviceGetName");
	snprintf(name, (size_t)size, "Fake %d", device);
	return SUCCESS;
}

API int cuDeviceGetAttribute(int *value, int attribute, int device) {
	BEGIN("cuDeviceGetAttribute");
	(void)device;
	switch (attribute) {
	case 16: *value = 4; return SUCCESS; // multiprocessors
	case 75: *value = 9; return SUCCESS; // compute capability, major
	case 76: *value = 0; return SUCCESS;
	}
	return INVALID_VALUE;
}

API int cuDeviceTotalMem_v2(size_t *bytes, int device) {
	BEGIN("cuDeviceTotalMem_v2");
	(void)device;
	*bytes = total;
	return SUCCESS;
}

API int cuDevicePrimaryCtxRetain(struct context **context, int device) {
	BEGIN("cuDevicePrimaryCtxRetain");
	pthread_mutex_lock(&lock);
	contexts[device].references++;
	pthread_mutex_unlock(&lock);
	*context = &contexts[device];
	return SUCCESS;
}

API int cuDevicePrimaryCtxRelease_v2(int device) {
	BEGIN("cuDevicePrimaryCtxRelease_v2");
	struct context *c = &contexts[device];
	pthread_mutex_lock(&lock);
	int last = c->references == 1;
	int bad = c->references == 0;
	if (!bad) c->references--;
	if (last) {
		if (c->pushed != 0) wrong("a context ends while it is current", c);
		for (struct allocation **a = &allocations; *a != NULL;) {
			struct allocation *one = *a;
			if (one->context == c) {
				*a = one->next;
				memory_free(one);
			} else {
				a = &one->next;
			}
		}
		for (struct object *o = objects; o != NULL; o = o->next) {
			if (o->context == c) o->dead = 1;
		}
	}
	pthread_mutex_unlock(&lock);
	return bad ? INVALID_CONTEXT : SUCCESS;
}

// Nobody has a use for it who shares the context with others.
API int cuDevicePrimaryCtxReset_v2(int device) {
	(void)device;
	wrong("a primary context was reset", NULL);
	return SUCCESS;
}

API int cuCtxPushCurrent_v2(struct context *c) {
	BEGIN("cuCtxPushCurrent_v2");
	if (c < contexts || c >= contexts + most_devices) return INVALID_CONTEXT;
	if (c->references == 0) return CONTEXT_IS_DESTROYED;
	if (depth == most_current) wrong("contexts are pushed and not popped", c);
	stack[depth++] = c;
	__atomic_fetch_add(&c->pushed, 1, __ATOMIC_RELAXED);
	return SUCCESS;
}

API int cuCtxPopCurrent_v2(struct context **context) {
	// A failure that is asked for pops nevertheless, or else all later calls would fail with it.
	int code = planned("cuCtxPopCurrent_v2");
	if (depth == 0) return INVALID_CONTEXT;
	*context = stack[--depth];
	__atomic_fetch_sub(&(*context)->pushed, 1, __ATOMIC_RELAXED);
	return code;
}

API int cuCtxSynchronize(void) {
	CURRENT("cuCtxSynchronize", c);
	(void)c;
	return SUCCESS;
}

API int cuMemGetInfo_v2(size_t *available, size_t *all) {
	CURRENT("cuMemGetInfo_v2", c);
	pthread_mutex_lock(&lock);
	*available = total - c->used;
	pthread_mutex_unlock(&lock);
	*all = total;
	return SUCCESS;
}

API int cuMemAlloc_v2(uintptr_t *pointer, size_t bytes) {
	CURRENT("cuMemAlloc_v2", c);
	return memory_alloc(c, pointer, bytes);
}

API int cuMemFree_v2(uintptr_t pointer) {
	CURRENT("cuMemFree_v2", c);
	struct allocation **a;
	pthread_mutex_lock(&lock);
	for (a = &allocations; *a != NULL && ((*a)->context != c || (*a)->pointer != pointer); a = &(*a)->next) {
	}
	struct allocation *one = *a;
	if (one != NULL) {
		*a = one->next;
		memory_free(one);
	}
	pthread_mutex_unlock(&lock);
	return one != NULL ? SUCCESS : INVALID_VALUE;
}

API int cuMemcpyHtoDAsync_v2(uintptr_t to, const void *from, size_t bytes, void *stream) {
	CURRENT("cuMemcpyHtoDAsync_v2", c);
	FOUND_STREAM(s, c, stream);
	NOT_CAPTURING(s);
	if (!allocated_in(c, to, bytes)) return INVALID_VALUE;
	memcpy((void *)to, from, bytes);
	return SUCCESS;
}

API int cuMemcpyDtoHAsync_v2(void *to, uintptr_t from, size_t bytes, void *stream) {
	CURRENT("cuMemcpyDtoHAsync_v2", c);
	FOUND_STREAM(s, c, stream);
	NOT_CAPTURING(s);
	if (!allocated_in(c, from, bytes)) return INVALID_VALUE;
	memcpy(to, (void *)from, bytes);
	return SUCCESS;
}

API int cuMemsetD8Async(uintptr_t pointer, unsigned char value, size_t bytes, void *stream) {
	CURRENT("cuMemsetD8Async", c);
	FOUND_STREAM(s, c, stream);
	const struct node n = {.is_set = 1, .pointer = pointer, .bytes = bytes, .value = value};
	return queue(c, s, &n);
}

API int cuStreamCreate(void **stream, unsigned flags) {
	CURRENT("cuStreamCreate", c);
	if (flags > 1) return INVALID_VALUE;
	*stream = made(c, STREAM);
	return SUCCESS;
}

API int cuStreamDestroy_v2(void *stream) {
	CURRENT("cuStreamDestroy_v2", c);
	FOUND(s, c, STREAM, stream);
	s->dead = 1;
	return SUCCESS;
}

API int cuStreamSynchronize(void *stream) {
	CURRENT("cuStreamSynchronize", c);
	FOUND_STREAM(s, c, stream);
	NOT_CAPTURING(s);
	return SUCCESS;
}

API int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
	CURRENT("cuStreamWaitEvent", c);
	FOUND_STREAM(s, c, stream);
	if (flags != 0) return INVALID_VALUE;
	struct object *e = NULL;
	for (int i = 0; i < most_devices && e == NULL; i++) e = found(&contexts[i], EVENT, event);
	if (e == NULL) return INVALID_HANDLE;
	return e->captured && !s->capturing ? CAPTURE_ISOLATION : SUCCESS;
}

API int cuStreamIsCapturing(void *stream, int *status) {
	CURRENT("cuStreamIsCapturing", c);
	FOUND_STREAM(s, c, stream);
	*status = !s->capturing ? 0 : s->invalid ? 2 : 1;
	return SUCCESS;
}

API int cuStreamBeginCapture_v2(void *stream, int mode) {
	CURRENT("cuStreamBeginCapture_v2", c);
	FOUND_STREAM(s, c, stream);
	if (mode < 0 || mode > 2) return INVALID_VALUE;
	if (stream == NULL) return CAPTURE_UNSUPPORTED;
	if (s->capturing) return ILLEGAL_STATE;
	s->capturing = 1;
	s->invalid = 0;
	s->mode = mode;
	s->thread = pthread_self();
	return SUCCESS;
}

API int cuStreamEndCapture(void *stream, void **graph) {
	CURRENT("cuStreamEndCapture", c);
	FOUND_STREAM(s, c, stream);
	const int relaxed = 2;
	*graph = NULL;
	if (!s->capturing) return ILLEGAL_STATE;
	if (s->mode != relaxed && !pthread_equal(s->thread, pthread_self())) return CAPTURE_WRONG_THREAD;
	s->capturing = 0;
	struct node *nodes = s->nodes;
	s->nodes = NULL;
	if (s->invalid) return CAPTURE_INVALIDATED;
	struct object *g = made(c, GRAPH);
	g->nodes = nodes;
	*graph = g;
	return SUCCESS;
}

API int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long flags) {
	CURRENT("cuGraphInstantiateWithFlags", c);
	FOUND(g, c, GRAPH, graph);
	if (flags != 0) return INVALID_VALUE;
	struct object *e = made(c, EXECUTABLE);
	append_all(e, g);
	*executable = e;
	return SUCCESS;
}

API int cuGraphLaunch(void *executable, void *stream) {
	CURRENT("cuGraphLaunch", c);
	FOUND(e, c, EXECUTABLE, executable);
	FOUND_STREAM(s, c, stream);
	if (s->capturing) {
		append_all(s, e);
		return SUCCESS;
	}
	for (struct node *n = e->nodes; n != NULL; n = n->next) {
		int code = perform(c, n);
		if (code != SUCCESS) return code;
	}
	return SUCCESS;
}

API int cuGraphExecDestroy(void *executable) {
	CURRENT("cuGraphExecDestroy", c);
	FOUND(e, c, EXECUTABLE, executable);
	e->dead = 1;
	return SUCCESS;
}

API int cuGraphDestroy(void *graph) {
	CURRENT("cuGraphDestroy", c);
	FOUND(g, c, GRAPH, graph);
	g->dead = 1;
	return SUCCESS;
}

API int cuEventCreate(void **event, unsigned flags) {
	CURRENT("cuEventCreate", c);
	if (flags > 7) return INVALID_VALUE;
	*event = made(c, EVENT);
	return SUCCESS;
}

API int cuEventDestroy_v2(void *event) {
	CURRENT("cuEventDestroy_v2", c);
	FOUND(e, c, EVENT, event);
	e->dead = 1;
	return SUCCESS;
}

API int cuEventRecord(void *event, void *stream) {
	CURRENT("cuEventRecord", c);
	FOUND(e, c, EVENT, event);
	FOUND_STREAM(s, c, stream);
	e->recorded = 1;
	e->captured = s->capturing;
	clock_gettime(CLOCK_MONOTONIC, &e->when);
	return SUCCESS;
}

API int cuEventSynchronize(void *event) {
	CURRENT("cuEventSynchronize", c);
	FOUND(e, c, EVENT, event);
	return e->captured ? CAPTURED_EVENT : SUCCESS;
}

API int cuEventQuery(void *event) {
	CURRENT("cuEventQuery", c);
	FOUND(e, c, EVENT, event);
	return e->captured ? CAPTURED_EVENT : SUCCESS;
}

API int cuEventElapsedTime(float *ms, void *from, void *to) {
	CURRENT("cuEventElapsedTime", c);
	FOUND(a, c, EVENT, from);
	FOUND(b, c, EVENT, to);
	if (!a->recorded || !b->recorded) return INVALID_HANDLE;
	if (a->captured || b->captured) return CAPTURED_EVENT;
	*ms = (float)((double)(b->when.tv_sec - a->when.tv_sec) * 1e3 + (double)(b->when.tv_nsec - a->when.tv_nsec) * 1e-6);
	return SUCCESS;
}

API int cuModuleLoadDataEx(void **module, const void *image, unsigned count, const int *options, void **values) {
	CURRENT("cuModuleLoadDataEx", c);
	const int log = 5, log_size = 6;
	if (strstr(image, ".version") == NULL) {
		char *text = NULL;
		size_t size = 0;
		for (unsigned i = 0; i < count; i++) {
			if (options[i] == log) text = values[i];
			if (options[i] == log_size) size = (size_t)values[i];
		}
		if (text != NULL) snprintf(text, size, "ptxas fatal   : Missing .version directive at start of file\n");
		return INVALID_PTX;
	}
	struct object *m = made(c, MODULE);
	m->image = copied(image, strlen(image) + 1);
	*module = m;
	return SUCCESS;
}

API int cuModuleUnload(void *module) {
	CURRENT("cuModuleUnload", c);
	FOUND(m, c, MODULE, module);
	m->dead = 1;
	free(m->image);
	return SUCCESS;
}

API int cuModuleGetFunction(void **function, void *module, const char *name) {
	CURRENT("cuModuleGetFunction", c);
	FOUND(m, c, MODULE, module);
	char entry[256];
	snprintf(entry, sizeof entry, ".entry %s(", name);
	const struct kernel *k = kernel_named(name);
	if (k == NULL || strstr(m->image, entry) == NULL) return NOT_FOUND;
	struct object *f = made(c, FUNCTION);
	f->kernel = k;
	*function = f;
	return SUCCESS;
}

API int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
	unsigned shared, void *stream, void **params, void **extra) {
	CURRENT("cuLaunchKernel", c);
	FOUND(f, c, FUNCTION, function);
	FOUND_STREAM(s, c, stream);
	if (gx == 0 || gx > 0x7fffffff || gy != 1 || gz != 1 || bx == 0 || bx > 1024 || by != 1 || bz != 1) return INVALID_VALUE;
	if (shared != 0 || params == NULL || extra != NULL) return INVALID_VALUE;
	if (f->kernel->single && gx != 1) return INVALID_VALUE;
	const struct node n = {.launch = {f->kernel, params[0], params[1], gx, bx}};
	return queue(c, s, &n);
}
