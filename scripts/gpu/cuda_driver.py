"""The few calls of the CUDA driver that the golden recorders need. Needs numpy and libcuda only."""

import ctypes
import sys

import numpy as np

cuda = ctypes.CDLL("libcuda.so.1")


def check(code, call):
    """Ends the program with the driver's name for a failure."""
    if code != 0:
        name = ctypes.c_char_p()
        cuda.cuGetErrorName(code, ctypes.byref(name))
        sys.exit(f"{call}: {name.value.decode() if name.value else code}")


def open_device():
    """Makes the first GPU current; returns its handle, name and the driver's version."""
    check(cuda.cuInit(0), "cuInit")
    device = ctypes.c_int()
    check(cuda.cuDeviceGet(ctypes.byref(device), 0), "cuDeviceGet")
    context = ctypes.c_void_p()
    check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), "cuDevicePrimaryCtxRetain")
    check(cuda.cuCtxSetCurrent(context), "cuCtxSetCurrent")
    name = ctypes.create_string_buffer(256)
    check(cuda.cuDeviceGetName(name, 256, device), "cuDeviceGetName")
    version = ctypes.c_int()
    check(cuda.cuDriverGetVersion(ctypes.byref(version)), "cuDriverGetVersion")
    return device, name.value.decode(), version.value


def device_attribute(device, attribute):
    value = ctypes.c_int()
    check(cuda.cuDeviceGetAttribute(ctypes.byref(value), attribute, device), "cuDeviceGetAttribute")
    return value.value


def load_function(ptx, symbol):
    """A kernel of PTX given as bytes, by the driver's JIT."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    check(cuda.cuModuleLoadData(ctypes.byref(module), ptx + b"\0"), f"cuModuleLoadData ({symbol})")
    check(cuda.cuModuleGetFunction(ctypes.byref(function), module, symbol.encode()), "cuModuleGetFunction")
    return function


def launch(function, grid, block, shared_bytes, values):
    """Runs a kernel on ctypes arguments and waits for it."""
    pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
    check(cuda.cuLaunchKernel(function, *grid, *block, shared_bytes, None, pointers, None), "cuLaunchKernel")
    check(cuda.cuCtxSynchronize(), "cuCtxSynchronize")


class Memory:
    """Device memory with the contents of an array."""

    def __init__(self, values):
        self.values = values
        self.address = ctypes.c_uint64()
        check(cuda.cuMemAlloc_v2(ctypes.byref(self.address), max(4, values.nbytes)), "cuMemAlloc")
        if values.nbytes:
            pointer = values.ctypes.data_as(ctypes.c_void_p)
            check(cuda.cuMemcpyHtoD_v2(self.address, pointer, values.nbytes), "cuMemcpyHtoD")

    @property
    def argument(self):
        return ctypes.c_uint64(self.address.value)

    def read(self):
        out = np.empty_like(self.values)
        if out.nbytes:
            check(cuda.cuMemcpyDtoH_v2(out.ctypes.data_as(ctypes.c_void_p), self.address, out.nbytes), "cuMemcpyDtoH")
        return out

    def close(self):
        check(cuda.cuMemFree_v2(self.address), "cuMemFree")
