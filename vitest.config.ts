import { defineConfig } from 'vitest/config';

// unit: beside the sources, no compiler and no device. emulator: from built packages, kernels on the emulator.
// gpu: needs an NVIDIA GPU; each file in its own process, so that a lost device spoils one file only.
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
      {
        test: {
          name: 'gpu',
          include: ['packages/*/test/gpu/**/*.test.ts'],
          pool: 'forks',
          isolate: true,
          testTimeout: 120_000,
        },
      },
    ],
  },
});
