"""Runs the instruction kernels on a GPU and writes digests of what they leave in memory.

usage: python3 record.py CASES.json OUT.json

Needs numpy and libcuda only. NaNs are written as one NaN, because their payloads differ between processors.
"""

import base64
import ctypes
import hashlib
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts/gpu"))
from cuda_driver import Memory, check, cuda, launch, load_function, open_device  # noqa: E402

SWIZZLES = {"none": 0, "32B": 1, "64B": 2, "128B": 3}
FLOAT32 = 7


def tensor_map(address, case):
    """A CUtensorMap over a matrix of floats, at a multiple of 64 bytes as the driver wants it."""
    room = (ctypes.c_ubyte * 192)()
    encoded = (ctypes.c_ubyte * 128).from_buffer(room, -ctypes.addressof(room) % 64)
    rows, cols = case["tile"]
    dims = (ctypes.c_uint64 * 2)(case["cols"], case["rows"])
    strides = (ctypes.c_uint64 * 1)(4 * case["cols"])
    box = (ctypes.c_uint32 * 2)(cols, rows)
    steps = (ctypes.c_uint32 * 2)(1, 1)
    # Interleave none, L2 promotion none, zeros outside.
    modes = [0, SWIZZLES[case["swizzle"]], 0, 0]
    where = ctypes.c_void_p(address.value)
    code = cuda.cuTensorMapEncodeTiled(encoded, FLOAT32, 2, where, dims, strides, box, steps, *modes)
    check(code, "cuTensorMapEncodeTiled")
    return encoded


def with_one_nan(out, result):
    if result == "f32":
        words = out.view(np.uint32)[::2]
        words[np.isnan(words.view(np.float32))] = 0x7FC00000
    elif result == "f64":
        out[np.isnan(out.view(np.float64))] = 0x7FF8000000000000
    elif "f16" in result:
        parts = out.view(np.uint16).reshape(-1, 4)[:, : 2 if result.endswith("x2") else 1]
        infinity = 0x7F80 if result.startswith("b") else 0x7C00
        parts[(parts & 0x7FFF) > infinity] = 0x7FFF
    return out


def main(cases_path, out_path):
    _, name, driver = open_device()
    with open(cases_path) as file:
        cases = json.load(file)
    results = {}
    for case in cases:
        function = load_function(case["ptx"].encode(), "k")
        inputs = [Memory(np.frombuffer(base64.b64decode(case[part]), dtype=np.uint64).copy()) for part in ("varying", "uniform")]
        out = Memory(np.zeros(case["outputs"], dtype=np.uint64))
        memory = [*inputs, out]
        arguments = [m.argument for m in memory]
        if "map" in case:
            over = inputs[0] if case["map"]["of"] == "in" else out
            arguments.append(tensor_map(over.address, case["map"]))
        launch(function, [case["grid"], 1, 1], [64, 1, 1], 0, arguments)
        left = with_one_nan(out.read(), case["result"])
        results[case["text"]] = hashlib.sha256(left.tobytes()).hexdigest()
        if "expected" in case and results[case["text"]] != case["expected"]:
            print(f"{case['text']} differs from the emulator")
        for m in memory:
            m.close()
    with open(out_path, "w") as file:
        json.dump({"device": name, "driver": driver, "results": results}, file, indent=1)
        file.write("\n")
    print(f"{len(results)} instructions on {name}, driver {driver}")


if __name__ == "__main__":
    main(*sys.argv[1:])
