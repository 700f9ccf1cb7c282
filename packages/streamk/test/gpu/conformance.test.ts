import { kernels } from '@ffma/streamk';
import { conformanceOnGpu } from '../../../../scripts/gpu/kernels-on-gpu.js';

conformanceOnGpu(kernels);
