#pragma once

// All device headers of ffma. They include nothing from a CUDA toolkit.

#include "epilogue.cuh"
#include "fma.cuh"
#include "index.cuh"
#include "vec.cuh"
