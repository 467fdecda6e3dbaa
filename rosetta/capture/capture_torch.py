#!/usr/bin/env python3
"""Records what PyTorch draws on a CUDA GPU, for "philox verify".

    python3 capture_torch.py folder
    python3 capture_torch.py --seeds 7,8 --sizes 10,1e6 --ops normal_0.5_2,randperm folder
    python3 capture_torch.py --random-seeds 5 folder

The folder gets one .npy file for each array and an index.json that says of each which
operator it is of, its seed, offset, length and type, the GPU, and the SHA-256 of the whole
array, of which long ones keep only both ends. The same arguments write the same files on
the same GPU, but for --random-seeds. It needs PyTorch 2 and NumPy.
"""

import argparse
import hashlib
import json
import os
import secrets
import sys

import numpy
import torch

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")

ALL = FLOATS + INTEGERS + ("bool",)

# Operators as the names of arrays have them, without the type, and the types that each is
# drawn in. "" leaves the type out: PyTorch's default.
DEFAULT = (
    ("uniform", FLOATS),
    ("uniform_-2_3", FLOATS),
    ("uniform_0.1_0.7", FLOATS),
    ("normal", FLOATS),
    ("normal_0.1_0.3", FLOATS),
    ("log_normal_0.1_0.3", FLOATS),
    ("exponential_1.5", FLOATS),
    ("cauchy_0.1_0.3", FLOATS),
    ("geometric_0.37", FLOATS + INTEGERS),
    ("bernoulli_0.137", ALL),
    ("bernoulli_tensor", ALL),
    ("random", ALL),
    ("random_from_5", FLOATS + INTEGERS),
    ("random_from_-9223372036854775808", ("int64",)),
    ("randint_0_10", FLOATS + INTEGERS),
    ("randint_0_2", ("bool",)),
    ("randint_-5_1000", ("int64", "int32", "int16", "float32", "float64", "float16")),
    ("randint_0_2p40", ("int64", "float32", "float64", "bfloat16")),
    ("randint_full", ("int64",)),
    ("dropout_0.137_linspace-3_3", FLOATS),
    ("dropout_0.137_mask", FLOATS),
    ("randperm", ("", "int32", "int16", "uint8", "int8", "float32", "float64", "float16")),
    ("multinomial_k1_repTrue", ("", "float64", "float16", "bfloat16")),
    ("multinomial_k5_repFalse", ("", "float64", "float16", "bfloat16")),
    ("multinomial_k5_repTrue", ("", "float64", "float16", "bfloat16")),
    ("trunc_normal_init", ("", "float64", "float16", "bfloat16")),
    ("kaiming_uniform_64x32x3x3", ("", "float64", "float16", "bfloat16")),
    ("kaiming_normal_48x20", ("", "float64", "float16", "bfloat16")),
    ("xavier_uniform_48x20", ("", "float64", "float16", "bfloat16")),
    ("xavier_normal_48x20", ("", "float64", "float16", "bfloat16")),
    ("uniform_view_8x10_step2", ("",)),
    ("uniform_transposed_8x10", ("",)),
    ("state_bytes", ("",)),
)
# What has a length of its own is recorded once for each seed and offset, and so is what says
# nothing of lengths.
FIXED = ("multinomial", "trunc_normal", "kaiming", "xavier", "state")
# The longest permutations of small types.
MOST = {"int16": 2**15, "uint8": 2**8, "int8": 2**7, "float16": 2**11, "float32": 2**24, "int32": 2**31}
WEIGHTS = (0.1, 0.2, 0, 0.3, 0.4, 1, 2)
ROWS = 50


def number(text):
    """A whole number such as 1000, 1e6 or 2p31."""
    if "p" in text:
        base, power = text.split("p")
        return int(base) ** int(power)
    value = float(text) if "e" in text.lower() else int(text, 0)
    if value != int(value):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(value)


def numbers(text):
    return [number(part) for part in text.split(",") if part]


def names(text):
    return [part for part in text.split(",") if part]


class Generator:
    """The default generator of a GPU, whose state is a seed and an offset."""

    def __init__(self, device):
        self.cuda = torch.cuda.default_generators[device.index]

    def set(self, seed, offset):
        if offset % 4:
            sys.exit(f"offset {offset}: PyTorch's offsets are multiples of 4")
        state = seed.to_bytes(8, "little") + offset.to_bytes(8, "little")
        self.cuda.set_state(torch.tensor(list(state), dtype=torch.uint8))

    def state(self):
        return self.cuda.get_state()

    def offset(self):
        return int.from_bytes(bytes(self.state()[8:16].tolist()), "little")


def shape_of(text):
    return tuple(int(part) for part in text.split("x"))


def split(op):
    """The operator and its arguments, as text: "log_normal_0.1_0.3" is of two arguments."""
    known = (
        "uniform_view uniform_transposed uniform normal log_normal exponential cauchy geometric bernoulli_tensor bernoulli "
        "random_from random randint dropout native_dropout randperm multinomial trunc_normal_init kaiming_uniform kaiming_normal "
        "xavier_uniform xavier_normal state_bytes"
    ).split()
    for name in sorted(known, key=len, reverse=True):
        if op == name or op.startswith(name + "_"):
            return name, op[len(name) + 1 :].split("_") if op != name else []
    sys.exit(f"operator {op!r}: must begin with one of {', '.join(known)}")


def fixed(op):
    return op.startswith(FIXED) or "_view_" in op or "_transposed_" in op


def draw(op, dtype, n, device, generator):
    """What the operator gives: a tensor on the GPU or the CPU."""
    name, args = split(op)
    kind = getattr(torch, dtype) if dtype else None  # then it is the default
    new = lambda *shape: torch.zeros(shape or (n,), dtype=kind, device=device)
    if name in ("uniform", "normal", "log_normal", "exponential", "cauchy", "geometric", "bernoulli"):
        return getattr(new(), name + "_")(*map(float, args))
    if name == "bernoulli_tensor":
        p = torch.linspace(0, 1, n, device=device, dtype=torch.float64 if dtype == "float64" else torch.float32)
        return new().bernoulli_(p)
    if name == "random":
        return new().random_()
    if name == "random_from":
        return new().random_(int(args[0]), None)
    if name == "randint":
        low, high = (-(2**63), 2**63 - 1) if args == ["full"] else map(number, args)
        return torch.randint(low, high, (n,), dtype=kind, device=device)
    if name in ("dropout", "native_dropout"):
        p, what = float(args[0]), args[1:]
        if what[0].startswith("linspace"):
            start, end = float(what[0][len("linspace") :]), float(what[1])
            x = torch.linspace(start, end, n, device=device).to(kind)
        else:
            x = torch.ones(n, dtype=kind or torch.float32, device=device)
        out, mask = torch.native_dropout(x, p, True)
        return mask if what[0] == "mask" else out
    if name == "randperm":
        return torch.randperm(n, dtype=kind or torch.int64, device=device)
    if name == "multinomial":
        weights = torch.tensor([WEIGHTS] * ROWS, dtype=kind or torch.float32, device=device)
        return torch.multinomial(weights, int(args[0][1:]), replacement=args[1] == "repTrue")
    if name == "trunc_normal_init":
        return torch.nn.init.trunc_normal_(torch.empty(5000, dtype=kind, device=device))
    if name in ("kaiming_uniform", "kaiming_normal", "xavier_uniform", "xavier_normal"):
        return getattr(torch.nn.init, name + "_")(torch.empty(shape_of(args[0]), dtype=kind, device=device))
    if name == "uniform_view":
        x = new(*shape_of(args[0]))
        x[:, :: int(args[1][len("step") :])].uniform_()
        return x
    if name == "uniform_transposed":
        x = new(*shape_of(args[0]))
        x.t().uniform_()
        return x
    if name == "state_bytes":
        torch.rand(10, device=device)
        return generator.state()
    raise AssertionError(name)


def as_numpy(x):
    x = x.detach().reshape(-1)
    if x.dtype in (torch.float16, torch.bfloat16):
        return x.view(torch.int16).cpu().numpy().view(numpy.uint16)
    return x.cpu().numpy()


class Folder:
    def __init__(self, path, keep, device):
        self.path, self.keep, self.index = path, keep, []
        os.makedirs(path, exist_ok=True)
        if os.path.exists(os.path.join(path, "index.json")):
            sys.exit(f"{path}: has an index.json already")
        p = torch.cuda.get_device_properties(device)
        self.gpu = {
            "gpu": p.name,
            "sms": p.multi_processor_count,
            "max_threads_per_sm": p.max_threads_per_multi_processor,
            "torch": torch.__version__,
        }

    def add(self, name, array, seed, offset, after=None, **more):
        array = numpy.ascontiguousarray(array)
        entry = {
            "system": "torch",
            "name": name,
            "n": array.size,
            "dtype": str(array.dtype),
            "sha256": hashlib.sha256(array.data).hexdigest(),
            "seed": str(seed),
            "offset": str(offset),
        }
        if after is not None:
            entry["offset_after"] = str(after)
        entry.update(more)
        entry.update(self.gpu)
        if array.size > 3 * self.keep:
            entry["kept"] = f"first {self.keep} and last {self.keep}"
            array = numpy.concatenate([array[: self.keep], array[-self.keep :]])
        entry["file"] = f"{len(self.index):05d}_torch_{name}.npy"
        numpy.save(os.path.join(self.path, entry["file"]), array)
        self.index.append(entry)

    def close(self):
        with open(os.path.join(self.path, "index.json"), "w") as f:
            json.dump(self.index, f, indent=0)
            f.write("\n")


def record(folder, generator, device, op, dtype, n, seed, offset):
    if op == "randperm" and n > MOST.get(dtype, n):
        return
    name = op if not dtype else f"{op}_{dtype}"
    more = {"weights": f"[{','.join(map(str, WEIGHTS))}]x{ROWS}"} if op.startswith("multinomial") else {}
    generator.set(seed, offset)
    try:
        array = as_numpy(draw(op, dtype, n, device, generator))
    except (RuntimeError, NotImplementedError, TypeError) as error:
        print(f"{name}: not in this PyTorch: {str(error).splitlines()[0]}")
        return
    after = generator.offset()
    if op == "state_bytes":
        folder.add(name, array, seed, after)
        return
    folder.add(name, array, seed, offset, after, **more)
    if not fixed(op):
        array = as_numpy(draw(op, dtype, n, device, generator))
        folder.add(name + "_2nd", array, seed, offset)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("folder", help="where to write; it must have no index.json yet")
    p.add_argument("--ops", type=names, help="operators with their arguments, without types, such as normal_0.1_0.3,randint_0_10; default: the list in this file")
    p.add_argument("--dtypes", type=names, help="the types for --ops, or of the default list only these")
    p.add_argument("--sizes", type=numbers, default=[1, 7, 1000, 100003, 2000003], help="lengths, such as 1,1000,1e6 (default %(default)s)")
    p.add_argument("--seeds", type=numbers, default=[0, 42], help="seeds (default %(default)s)")
    p.add_argument("--random-seeds", type=int, default=0, metavar="N", help="N seeds of this moment instead, and for each an offset")
    p.add_argument("--offsets", type=numbers, default=[0], help="offsets, multiples of 4 (default %(default)s)")
    p.add_argument("--keep", type=int, default=400, help="values that are kept of each end of an array longer than three times that (default %(default)s)")
    p.add_argument("--device", type=int, default=0, help="index of the GPU (default %(default)s)")
    a = p.parse_args()

    if not torch.cuda.is_available():
        sys.exit("PyTorch finds no CUDA GPU")
    device = torch.device("cuda", a.device)
    torch.cuda.set_device(device)
    torch.empty(1, device=device)
    if a.ops:
        usual = dict(DEFAULT)
        ops = [(op, a.dtypes or usual.get(op, ("",) if fixed(op) or op == "randperm" else ("float32",))) for op in a.ops]
    else:
        ops = [(op, [t for t in types if not t or not a.dtypes or t in a.dtypes]) for op, types in DEFAULT]
    places = [(seed, offset) for seed in a.seeds for offset in a.offsets]
    if a.random_seeds:
        places = [(secrets.randbits(64), 4 * secrets.randbits(34)) for _ in range(a.random_seeds)]
        for seed, offset in places:
            print(f"seed {seed} offset {offset}")

    folder, generator = Folder(a.folder, a.keep, device), Generator(device)
    for seed, offset in places:
        for op, types in ops:
            for n in [0] if fixed(op) else a.sizes:
                for dtype in types:
                    record(folder, generator, device, op, dtype, n, seed, offset)
    folder.close()
    print(f"{len(folder.index)} arrays in {a.folder}")


if __name__ == "__main__":
    main()
