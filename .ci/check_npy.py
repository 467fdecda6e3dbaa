"""Loads files of philox fill with NumPy and checks them against Philox written
here: uniform float32 of seed 42, uint64 of seed -1 from element 7, normal float32,
uniform float16 and bool with probability 1/4 of seed 42. Then one of philox perm."""
import sys
import numpy as np


def blocks(seed, first, count):
    c = np.zeros((4, count), np.uint64)
    c[0] = np.arange(first, first + count, dtype=np.uint64)
    k0, k1 = seed & 0xFFFFFFFF, seed >> 32 & 0xFFFFFFFF
    low = np.uint64(0xFFFFFFFF)
    for _ in range(10):
        p0, p1 = c[0] * np.uint64(0xD2511F53), c[2] * np.uint64(0xCD9E8D57)
        c = np.array([p1 >> np.uint64(32) ^ c[1] ^ np.uint64(k0), p1 & low,
                      p0 >> np.uint64(32) ^ c[3] ^ np.uint64(k1), p0 & low])
        k0, k1 = k0 + 0x9E3779B9 & 0xFFFFFFFF, k1 + 0xBB67AE85 & 0xFFFFFFFF
    return c.T.ravel().astype(np.uint32)


x = np.load(sys.argv[1])
assert x.dtype == np.dtype("<f4") and x.shape == (10**7,), (x.dtype, x.shape)
n = 1 << 20
assert np.array_equal(x[:n], (blocks(42, 0, n // 4) & 0x7FFFFF).astype(np.float32) * np.float32(2**-23))
assert np.array_equal(x[-n:], (blocks(42, (10**7 - n) // 4, n // 4) & 0x7FFFFF).astype(np.float32) * np.float32(2**-23))
y = np.load(sys.argv[2])
assert y.dtype == np.dtype("<u8") and y.shape == (1000003,), (y.dtype, y.shape)
assert np.array_equal(y[:100001], blocks(2**64 - 1, 3, 50001).view("<u8")[1:100002])
z = np.load(sys.argv[3])
assert z.dtype == np.dtype("<f4") and z.shape == (10**7,), (z.dtype, z.shape)
# Box and Muller's formula in float64; log1p where u1 is near 1.
u1, u2 = (blocks(42, 0, n // 4).astype(np.float64) + 0.5).reshape(-1, 2).T / 2**32
r = np.sqrt(-2 * np.where(u1 < 0.5, np.log(u1), np.log1p(u1 - 1)))
exact = np.stack([r * np.cos(2 * np.pi * u2), r * np.sin(2 * np.pi * u2)]).T.ravel()
assert np.all(np.abs(z[:n] - exact) <= 3.1e-7 * np.abs(exact) + 1e-14)
assert abs(z.mean(dtype=np.float64)) < 5 / 10**3.5 and abs(z.var(dtype=np.float64) - 1) < 5 * 2**.5 / 10**3.5
u = blocks(42, 0, 250001)[:1000003]
h = np.load(sys.argv[4])
assert h.dtype == np.dtype("<f2") and h.shape == u.shape, (h.dtype, h.shape)
assert np.array_equal(h, (u & 0x3FF).astype(np.float16) / np.float16(1024))
b = np.load(sys.argv[5])
assert b.dtype == np.dtype(bool) and b.shape == u.shape, (b.dtype, b.shape)
assert np.array_equal(b, u < 2**30)
p = np.load(sys.argv[6])
assert p.dtype == np.dtype("<i8") and p.shape == u.shape, (p.dtype, p.shape)
assert np.array_equal(np.sort(p), np.arange(p.size))
# Of a random order's differences the squares have the mean (n^2-1)/6.
assert abs(np.mean(np.diff(p.astype(np.float64))**2) / (p.size**2 / 6) - 1) < 0.01
print("numpy loads the files and finds the same numbers")
