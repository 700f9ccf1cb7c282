import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Scratch } from './fake-tools.js';

/** Body of a kernel that scales one element a thread; `P::BM` threads. */
export const scaleSource = `#include <ffma/fma.cuh>
template <class P>
__device__ __forceinline__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                     int m, int n, int k, int lda, int ldb, int ldc, float alpha, float beta) {
  static_assert(P::threads == P::BM, "One thread an element");
  c[threadIdx.x] = ffma::fma(a[threadIdx.x], alpha, beta);
}
`;

export interface SampleOptions {
  readonly source?: string;
  /** JavaScript of further fields of the declaration. */
  readonly fields?: string;
}

/**
 * A kernel package in a temporary folder as tsc would leave it: its declaration in dist, its source not copied yet.
 * `core` is the module to import defineKernel from.
 */
export function samplePackage(core: URL, { source = scaleSource, fields = '' }: SampleOptions = {}): Scratch {
  const scratch = new Scratch();
  scratch.file(
    'package.json',
    JSON.stringify({
      name: '@x/sample',
      version: '1.2.3',
      type: 'module',
      ffma: { kernels: './dist/index.js' },
    }),
  );
  scratch.file('kernels/k70-scale/kernel.cu', source);
  scratch.file('dist/index.js', `export { kernels } from './kernels/k70-scale/kernel.js';\n`);
  scratch.file(
    'dist/kernels/k70-scale/kernel.js',
    `import { defineKernel } from ${JSON.stringify(core.href)};
export const kernels = [defineKernel({
  name: 'k70', slug: 'scale', change: 'Scales.', source: new URL('./kernel.cu', import.meta.url),
  params: { BM: 32 }, derive: ({ BM }) => ({ threads: BM, sharedBytes: 0 }),
  plan: () => ({ launches: [] }), exactness: 'k-order', variants: { wide: { BM: 64 } },
  ${fields}
})];
`,
  );
  return scratch;
}

export function urlIn(scratch: Scratch, name: string): URL {
  return pathToFileURL(join(scratch.path, name));
}
