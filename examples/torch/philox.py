"""PyTorch tensors on a GPU, filled with the numbers of github.com/philox-go/rng.

    go build -buildmode=c-shared -o examples/torch/libphilox.so ./examples/torch

makes the library that this needs, beside this file. Then

    g = Generator(42)
    normal_(torch.empty(10, device="cuda"), g)

gives what random.Normal gives in Go with random.NewGenerator(random.CPU(), 42), mean 0 and std 1.

A fill that is captured in a CUDA graph draws the same numbers at every replay: place and seed are arguments of its launch.
"""

import ctypes
import os

import torch

_lib = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libphilox.so"))


class _Fill(ctypes.Structure):  # main.go's philox_fill
    _fields_ = [("device", ctypes.c_int), ("pointer", ctypes.c_ulonglong), ("n", ctypes.c_longlong), ("seed", ctypes.c_ulonglong),
                ("stream", ctypes.c_ulonglong), ("offset", ctypes.c_ulonglong), ("queue", ctypes.c_ulonglong),
                ("message", ctypes.c_void_p), ("size", ctypes.c_int)]


class Generator:
    """A seed, a stream and an offset in blocks: each call takes the blocks that it needs."""

    def __init__(self, seed, stream=0, offset=0):
        self.seed, self.stream, self.offset = seed % 2**64, stream, offset


def _fill(function, dtype, t, g, *args):
    if not (t.is_cuda and t.is_contiguous() and t.dtype == dtype):
        raise ValueError("a contiguous tensor of %s on a GPU is needed" % dtype)
    blocks = (t.numel() + 3) // 4
    if g.offset + blocks > 2**64:
        raise ValueError("offset = %d: the stream has fewer blocks left than %d" % (g.offset, blocks))
    message = ctypes.create_string_buffer(512)
    queue = torch.cuda.current_stream(t.device).cuda_stream
    fill = _Fill(t.device.index or 0, t.data_ptr(), t.numel(), g.seed, g.stream, g.offset, queue, ctypes.addressof(message), len(message))
    if function(ctypes.byref(fill), *map(ctypes.c_float, args)):
        raise RuntimeError(message.value.decode())
    g.offset += blocks
    return t


def words_(t, g):
    """Random bits in every element of an int32 tensor."""
    return _fill(_lib.philox_uint32, torch.int32, t, g)


def uniform_(t, g, lo=0.0, hi=1.0):
    """Uniform numbers in [lo, hi) in a float32 tensor."""
    return _fill(_lib.philox_uniform_float, torch.float32, t, g, lo, hi)


def normal_(t, g, mean=0.0, std=1.0):
    """Normal numbers in a float32 tensor."""
    return _fill(_lib.philox_normal_float, torch.float32, t, g, mean, std)
