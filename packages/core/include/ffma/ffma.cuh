#pragma once

// All device headers of ffma. They include nothing from a CUDA toolkit.

#include "async_copy.cuh"
#include "atomic.cuh"
#include "epilogue.cuh"
#include "fma.cuh"
#include "fragment.cuh"
#include "hinted_load.cuh"
#include "hoisted_copies.cuh"
#include "index.cuh"
#include "mbarrier.cuh"
#include "order.cuh"
#include "raster.cuh"
#include "shared_vec.cuh"
#include "tile_copy.cuh"
#include "tile_copy_async.cuh"
#include "tma.cuh"
#include "vec.cuh"
