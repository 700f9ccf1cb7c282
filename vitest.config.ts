import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { gpuProject } from './scripts/gpu/gpu-project.mjs';

// unit: beside the sources, no compiler and no device. emulator: from built packages, kernels on the emulator.
// gpu: needs an NVIDIA GPU; `npm run test:gpu` runs it and names what was skipped.
export default defineConfig({
  test: {
    // Files wait for compilers and workers of their own, so that two at a time pay on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          pool: 'threads',
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'emulator',
          include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['packages/*/test/gpu/**'],
          pool: 'forks',
          testTimeout: 120_000,
          // What is polled for happens on other threads, which a busy machine keeps waiting.
          expect: { poll: { timeout: 20_000 } },
        },
      },
      { test: gpuProject },
    ],
  },
});
