import { kernels } from '@ffma/kernels-hopper';
import { conformanceOnGpu } from '../../../../scripts/gpu/kernels-on-gpu.js';

conformanceOnGpu(kernels);
