"""Runs golden cases on a GPU through the CUDA driver and writes what they leave in C.

usage: python3 record.py CASES.json PTX_FOLDER OUT.json

Needs numpy and libcuda only. NaNs are written as one NaN, because their payloads differ between processors.
"""

import ctypes
import hashlib
import json
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../scripts/gpu"))
from cuda_driver import Memory, device_attribute, launch, load_function, open_device  # noqa: E402


def mix(word):
    word = word.astype(np.uint64)
    mask = np.uint64(0xFFFFFFFF)
    word = ((word ^ (word >> np.uint64(16))) * np.uint64(0x85EBCA6B)) & mask
    word = ((word ^ (word >> np.uint64(13))) * np.uint64(0xC2B2AE35)) & mask
    return word ^ (word >> np.uint64(16))


def filled(length, seed, filling):
    """The same numbers as golden-data.ts."""
    index = np.arange(length, dtype=np.uint64)
    word = mix((index * np.uint64(0x9E3779B1) + np.uint64(seed)) & np.uint64(0xFFFFFFFF))
    second = mix(word ^ np.uint64(0x5BD1E995))
    exponent = np.zeros(length, dtype=np.int64)
    if filling == "wide":
        exponent = (second % np.uint64(121)).astype(np.int64) - 80
    elif filling == "tiny":
        exponent = -(68 + (second % np.uint64(8)).astype(np.int64))
    base = (word >> np.uint64(8)).astype(np.float64) - 2.0**23
    values = np.ldexp(base, -23 + exponent).astype(np.float32)
    if filling == "special":
        special = np.array([np.inf, -np.inf, np.nan, -0.0], dtype=np.float32)
        kind = (second % np.uint64(64)).astype(np.int64)
        values = np.where(kind < 4, special[np.minimum(kind, 3)], values).astype(np.float32)
    return values


def run(case, function):
    memory = {name: Memory(filled(case["lengths"][name], case["seeds"][name], case["filling"])) for name in "abc"}
    values = []
    for arg in case["args"]:
        if arg["type"] == "operand":
            values.append(memory[arg["operand"]].argument)
        elif arg["type"] == "i32":
            values.append(ctypes.c_int32(arg["value"]))
        else:
            values.append(ctypes.c_uint32(arg["bits"]))
    launch(function, case["grid"], case["block"], case["sharedBytes"], values)
    c = memory["c"].read()
    for m in memory.values():
        m.close()
    words = c.view(np.uint32).copy()
    words[np.isnan(c)] = 0x7FC00000
    return words


def main(cases_path, ptx_folder, out_path):
    device, name, driver = open_device()
    attributes = {"multiprocessors": 16, "l2Bytes": 38, "sharedBytesPerSm": 81, "sharedBytesOptin": 97,
                  "blocksPerSm": 106, "reservedShared": 111, "registersPerSm": 82, "threadsPerSm": 39}
    limits = {title: device_attribute(device, attribute) for title, attribute in attributes.items()}

    with open(cases_path) as file:
        cases = json.load(file)
    functions, digests, results = {}, {}, []
    for case in cases:
        if case["ptx"] not in functions:
            with open(os.path.join(ptx_folder, case["ptx"]), "rb") as file:
                ptx = file.read()
            digests[case["ptx"]] = hashlib.sha256(ptx).hexdigest()
            functions[case["ptx"]] = load_function(ptx, case["symbol"])
        words = run(case, functions[case["ptx"]])
        results.append({"name": case["name"], "sha256": hashlib.sha256(words.tobytes()).hexdigest(),
                        "first": [f"{w:08x}" for w in words[:4]]})
    record = {"device": name, "driver": driver, "limits": limits, "ptx": digests, "results": results}
    with open(out_path, "w") as file:
        json.dump(record, file, indent=1)
        file.write("\n")
    print(f"{len(results)} cases on {record['device']}, driver {record['driver']}, limits {limits}")


if __name__ == "__main__":
    main(*sys.argv[1:])
