import type { EntryPoint } from '@ffma/core/compile';

/** A kernel of the laboratory's own that reaches one limit of a GPU. It multiplies no matrices. */
export interface CeilingKernel {
  readonly name: 'ffma' | 'outer-product' | 'read';
  /** File in the package's `kernels` folder. */
  readonly source: string;
  readonly params: Readonly<Record<string, number>>;
  readonly threads: number;
  /** Blocks for each multiprocessor: as many as are at work at a time. */
  readonly blocksPerSm: number;
  readonly entry: EntryPoint;
}

function kernel(
  parts: Omit<CeilingKernel, 'entry'> & { readonly fn: string; readonly signature: EntryPoint['signature'] },
): CeilingKernel {
  const { fn, signature, ...rest } = parts;
  const symbol = `ffma_ceiling_${rest.name.replaceAll('-', '_')}`;
  return { ...rest, entry: { symbol, fn, signature, threads: rest.threads } };
}

const IN = { name: 'in', type: 'in' } as const;
const OUT = { name: 'out', type: 'out' } as const;
const ITERATIONS = { name: 'iterations', type: 'i32' } as const;

/** 8 warps a scheduler, each with 8 chains. */
export const ffmaKernel = kernel({
  name: 'ffma',
  source: 'ffma-chains.cu',
  params: { chains: 8, unroll: 32 },
  threads: 256,
  blocksPerSm: 4,
  fn: 'ffma_chains',
  signature: [OUT, ITERATIONS, { name: 'x', type: 'f32' }, { name: 'y', type: 'f32' }],
});

/** The patch of the largest products, 2 warps a scheduler as they have. */
export const outerProductKernel = kernel({
  name: 'outer-product',
  source: 'outer-product.cu',
  params: { TM: 8, TN: 16, unroll: 4 },
  threads: 256,
  blocksPerSm: 1,
  fn: 'outer_product_loop',
  signature: [IN, OUT, ITERATIONS],
});

export const readKernel = kernel({
  name: 'read',
  source: 'read.cu',
  params: { loads: 4 },
  threads: 512,
  blocksPerSm: 4,
  fn: 'read_all',
  signature: [IN, OUT, { name: 'vectors', type: 'i32' }],
});

export const ceilingKernels: readonly CeilingKernel[] = [ffmaKernel, outerProductKernel, readKernel];

/** FFMAs of a thread in one iteration. */
export function ffmasPerIteration({ params }: Pick<CeilingKernel, 'params'>): number {
  const { chains = 1, TM = 1, TN = 1, unroll = 1 } = params;
  return chains * TM * TN * unroll;
}
