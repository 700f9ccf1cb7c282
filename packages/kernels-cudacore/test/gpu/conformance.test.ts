import { kernels } from '@ffma/kernels-cudacore';
import { describeConformance } from '@ffma/verify/vitest';
import { isBuilt, onGpu, openGpu } from './support/gpu.js';

// What runs is what ships: machine code where it was made for this GPU, else PTX through the driver's JIT. In a
// workspace, where the build made the default variants alone, the others are compiled.

const defaults = kernels.map((kernel) => kernel.variant('default'));
const others = kernels.flatMap(({ variants }) => [...variants.values()].slice(1));

onGpu('kernels on a GPU', () =>
  describeConformance(defaults.filter(isBuilt), {
    device: openGpu,
    label: 'default variants',
    variants: 'default',
  }),
);
onGpu('variants on a GPU', () =>
  describeConformance(others.filter(isBuilt), { device: openGpu, label: 'other variants', level: 'quick' }),
);
onGpu(
  'compiled on a GPU',
  () =>
    describeConformance(
      [...defaults, ...others].filter((variant) => !isBuilt(variant)),
      {
        device: openGpu,
        label: 'not built',
        variants: 'default',
        level: 'quick',
        load: { compile: true },
        timeout: 120_000,
      },
    ),
  { compiling: true },
);
