import { kernels } from '@ffma/kernels-cudacore';
import { conformanceOnGpu } from '../../../../scripts/gpu/kernels-on-gpu.js';

conformanceOnGpu(kernels);
