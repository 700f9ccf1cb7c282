#pragma once

// All device headers of ffma. They include nothing from a CUDA toolkit.

#include "epilogue.cuh"
#include "fma.cuh"
#include "fragment.cuh"
#include "index.cuh"
#include "tile_copy.cuh"
#include "vec.cuh"
