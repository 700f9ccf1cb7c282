import { fileURLToPath } from 'node:url';

/**
 * How GPU tests run, in the workspace and in a bundle. Each file has a process of its own, since a lost device takes
 * its process down; one after the other, since the GPU's memory and time are measured.
 */
export const gpuProject = {
  name: 'gpu',
  include: ['packages/*/test/gpu/**/*.test.ts'],
  pool: /** @type {const} */ ('forks'),
  isolate: true,
  fileParallelism: false,
  setupFiles: [fileURLToPath(new URL('./setup.mjs', import.meta.url))],
  // What was collected gives back its device memory; tests of that must be able to ask for a collection.
  execArgv: ['--expose-gc'],
  // Built packages run as they do for users, not as vite would transform them.
  server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
};
