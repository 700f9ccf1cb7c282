import { defineConfig } from 'vitest/config';
import { gpuProject } from './scripts/gpu/gpu-project.mjs';

// unit: beside the sources, no compiler and no device. emulator: from built packages, kernels on the emulator.
// gpu: needs an NVIDIA GPU; `npm run test:gpu` runs it and names what was skipped.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          pool: 'threads',
        },
      },
      {
        test: {
          name: 'emulator',
          include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['packages/*/test/gpu/**'],
          pool: 'forks',
          testTimeout: 120_000,
        },
      },
      { test: gpuProject },
    ],
  },
});
