import { kernels } from '@ffma/cublas-ref';
import { describeConformance } from '@ffma/verify/vitest';
import { onGpu, openGpu } from './support/gpu.js';

onGpu('conformance of cuBLAS', () => describeConformance(kernels, { device: openGpu }));
