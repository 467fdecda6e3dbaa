"""Times this library's fills beside cuRAND's and PyTorch's, in turn, in one process, and cuMemset as the bound.

    python3 compare.py [elements] [rounds]

Every figure is the median of its rounds, and every ratio the median of the rounds' ratios: G elements of 4 bytes a second, the share of cuMemset's bandwidth.
"""

import ctypes
import glob
import os
import statistics
import sys

import torch

import philox

n = int(float(sys.argv[1])) if len(sys.argv) > 1 else 1 << 30
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 25
calls = 8  # in a row, so that the queue is never empty: what the host needs to fill it is not measured

x = torch.empty(n, dtype=torch.float32, device="cuda")
words = x.view(torch.int32)
g = philox.Generator(42)
stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
cuda = ctypes.CDLL("libcuda.so.1")

jobs = {"cuMemset": lambda: cuda.cuMemsetD8Async(ctypes.c_void_p(x.data_ptr()), 1, ctypes.c_size_t(4 * n), stream)}
jobs["this: uint32"] = lambda: philox.words_(words, g)
jobs["this: uniform [0,1)"] = lambda: philox.uniform_(x, g)
jobs["this: uniform [-1,2)"] = lambda: philox.uniform_(x, g, -1, 2)
jobs["this: normal(0, 1)"] = lambda: philox.normal_(x, g)
jobs["this: normal(1, 2)"] = lambda: philox.normal_(x, g, 1, 2)


def curand():
    """cuRAND, as PyTorch or the toolkit brings it."""
    beside = os.path.join(os.path.dirname(os.path.dirname(torch.__file__)), "nvidia", "**", "libcurand.so*")
    for path in glob.glob(beside, recursive=True) + ["libcurand.so.10", "libcurand.so"]:
        try:
            return ctypes.CDLL(path)
        except OSError:
            pass
    sys.exit("no cuRAND found")


rand = curand()
version = ctypes.c_int()
rand.curandGetVersion(ctypes.byref(version))


def check(status):
    if status:
        raise RuntimeError("cuRAND: status %d" % status)


def generator(ordering):
    h = ctypes.c_void_p()
    check(rand.curandCreateGenerator(ctypes.byref(h), 161))  # CURAND_RNG_PSEUDO_PHILOX4_32_10
    check(rand.curandSetGeneratorOrdering(h, ordering))
    check(rand.curandSetStream(h, stream))
    return h


p, count = ctypes.c_void_p(x.data_ptr()), ctypes.c_size_t(n)
for name, ordering in {"dynamic": 104, "default": 101, "best": 100, "legacy": 103}.items():
    h = generator(ordering)
    jobs["cuRAND %s: normal" % name] = lambda h=h: check(rand.curandGenerateNormal(h, p, count, ctypes.c_float(0), ctypes.c_float(1)))
    if name == "dynamic":
        jobs["cuRAND %s: uint32" % name] = lambda h=h: check(rand.curandGenerate(h, p, count))
        jobs["cuRAND %s: uniform (0,1]" % name] = lambda h=h: check(rand.curandGenerateUniform(h, p, count))
jobs["PyTorch: uniform_"] = lambda: x.uniform_()
jobs["PyTorch: normal_"] = lambda: x.normal_()


def timed(f):
    a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    a.record()
    for _ in range(calls):
        f()
    b.record()
    b.synchronize()
    return a.elapsed_time(b) / calls


times = {name: [] for name in jobs}
for r in range(rounds + 3):
    for name, f in jobs.items():
        t = timed(f)
        if r >= 3:
            times[name].append(t)


def ratio(name, to):
    return statistics.median(b / a for a, b in zip(times[name], times[to]))


driver = ctypes.c_int()
cuda.cuDriverGetVersion(ctypes.byref(driver))
print("%s, driver for CUDA %d.%d, PyTorch %s, cuRAND %d; 2^%.1f elements, medians of %d rounds" % (
    torch.cuda.get_device_name(), driver.value // 1000, driver.value % 1000 // 10, torch.__version__, version.value,
    torch.log2(torch.tensor(float(n))).item(), rounds))
print("| fill | G/s | of cuMemset |\n|---|--:|--:|")
for name in jobs:
    print("| %s | %.0f | %.3f |" % (name, n / statistics.median(times[name]) / 1e6, ratio(name, "cuMemset")))
best = min((j for j in jobs if j.startswith("cuRAND") and j.endswith("normal")), key=lambda j: statistics.median(times[j]))
for ours in ("this: normal(0, 1)", "this: normal(1, 2)"):
    print("%s: %.3f times %s, %.3f times PyTorch: normal_" % (ours, ratio(ours, best), best, ratio(ours, "PyTorch: normal_")))
for ours, other in (("this: uint32", "cuRAND dynamic: uint32"), ("this: uniform [0,1)", "cuRAND dynamic: uniform (0,1]"), ("this: uniform [0,1)", "PyTorch: uniform_")):
    print("%s: %.3f times %s" % (ours, ratio(ours, other), other))
