import {
  type Device,
  type Exactness,
  type Gemm,
  type GemmOperands,
  type GemmShape,
  type GemmSizes,
  gemmProblem,
  type LoadedGemm,
  type MathMode,
  type MatrixRef,
  matrixAlignment,
  type PreparedGemm,
  reducedProblem,
  UnsupportedError,
} from '@ffma/core';
import { fma32 } from '@ffma/verify';
import type { DiscoveredKernel, Discovery, KernelPackage } from '../discover/kernel-package.js';
import type { FakeBuffer, FakeDevice } from './fake-device.js';

export interface FakeKernelOptions {
  readonly basedOn?: string;
  readonly package?: KernelPackage;
  /** Added to the first element of C: a kernel that is wrong. */
  readonly error?: number;
  readonly refuses?: string;
  readonly failsToLoad?: string;
  readonly failsToLaunch?: string;
  readonly role?: 'reference';
  readonly specialised?: boolean;
  /** Has m, n and k compiled in; it calls what it is given before each is loaded, which may throw. */
  readonly sized?: (sizes: GemmSizes) => void;
  readonly partialSums?: number;
  readonly exactness?: Exactness;
  readonly mathMode?: MathMode;
  /** As a library does, which cannot be prepared as a graph. */
  readonly refusesGraphs?: boolean;
  /** Launches after which its results are off by 1. */
  readonly breaksAfter?: number;
  /** Sectors that each of its store requests is counted to touch. */
  readonly sectorsPerStore?: number;
}

export const fakePackage: KernelPackage = {
  name: '@x/ladder',
  version: '1.2.3',
  folder: '/nowhere',
  manifest: undefined,
};

function matrix(ref: MatrixRef | GemmOperands['a']) {
  const { buffer, byteOffset = 0 } = 'buffer' in ref ? ref : { buffer: ref };
  return { values: new Float32Array((buffer as FakeBuffer).memory.buffer), at: byteOffset / 4, buffer };
}

function multiply(shape: GemmShape, operands: GemmOperands, error: number): void {
  const { m, n, k, lda, ldb, ldc, alpha, beta } = reducedProblem(gemmProblem(shape));
  const [a, b, c] = [matrix(operands.a), matrix(operands.b), matrix(operands.c)];
  for (let row = 0; row < m; row++) {
    for (let col = 0; col < n; col++) {
      let sum = 0;
      for (let p = 0; p < k; p++) {
        sum = fma32(a.values[a.at + row * lda + p] as number, b.values[b.at + p * ldb + col] as number, sum);
      }
      const i = c.at + row * ldc + col;
      const scaled = Math.fround(alpha * sum);
      c.values[i] = beta === 0 ? scaled : fma32(beta, c.values[i] as number, scaled);
    }
  }
  if (m * n > 0) c.values[c.at] = (c.values[c.at] as number) + error;
}

function profileOf(name: string, { m, n, k }: GemmShape, sectorsPerStore: number) {
  const requests = m * Math.ceil(n / 32);
  return {
    kernel: name,
    config: { grid: [m, 1, 1], block: [32, 1, 1] },
    instructions: { ffma: m * n * k, integer: 3 * m * n * k },
    staticInstructions: { ffma: 4, integer: 12 },
    sites: [
      {
        ptxLine: 7,
        instruction: 'st.global.f32 [%rd1], %f1;',
        space: 'global',
        kind: 'store',
        requests,
        sectors: requests * sectorsPerStore,
        bytesRequested: m * n * 4,
        wavefronts: 0,
        idealWavefronts: 0,
        bytesUsed: m * n * 4,
      },
    ],
  } as const;
}

/** A kernel in JavaScript, right unless told otherwise. */
export function fakeKernel(name: string, options: FakeKernelOptions = {}): DiscoveredKernel {
  const { refuses, failsToLoad, error = 0, sectorsPerStore = 4, basedOn } = options;
  const gemm: Gemm = {
    id: `${name}_bm32`,
    kernel: name,
    summary: `Does ${name}.`,
    exactness: options.exactness ?? 'k-order',
    ...(options.role === undefined ? {} : { role: options.role }),
    ...(options.specialised === undefined ? {} : { specialised: options.specialised }),
    refusal: () => refuses,
    async load(device: Device): Promise<LoadedGemm> {
      if (this.open) throw new UnsupportedError('Its sizes are not filled in.');
      if (failsToLoad !== undefined) throw new UnsupportedError(failsToLoad);
      const close = () => {};
      return {
        gemm,
        device,
        artefact: {
          ranAs: options.refusesGraphs ? 'library' : 'emulated',
          sha256: '0'.repeat(64),
          arch: 'compute_90',
          compiler: 'none 1',
          ...(options.mathMode === undefined ? {} : { mathMode: options.mathMode }),
        },
        prepare: (shape, operands, { graph = false } = {}) => {
          if (graph && options.refusesGraphs) throw new UnsupportedError('It launches its kernels itself.');
          return prepare(device as FakeDevice, shape, operands);
        },
        close,
        [Symbol.dispose]: close,
      };
    },
  };
  const { sized } = options;
  if (sized !== undefined) {
    const forShape = (sizes: GemmSizes): Gemm => {
      if (sizes.k % 2 !== 0) throw new UnsupportedError('k must be a multiple of 2.');
      const load: Gemm['load'] = async (device) => {
        sized(sizes);
        return gemm.load.call({ ...gemm, open: false }, device);
      };
      return { ...gemm, open: false, id: `${gemm.id}_${sizes.m}x${sizes.n}x${sizes.k}`, load };
    };
    Object.assign(gemm, { open: true, specialised: true, forShape });
  }
  let launches = 0;
  function prepare(device: FakeDevice, shape: GemmShape, operands: GemmOperands): PreparedGemm {
    if (refuses !== undefined) throw Object.assign(new Error(refuses), { code: 'FFMA_UNSUPPORTED' });
    const { buffer, at } = matrix(operands.a);
    const problem = gemmProblem(shape, { a: matrixAlignment(buffer.address + BigInt(at * 4), 1, 1) });
    const close = () => {};
    return {
      problem,
      plan: { launches: [] },
      ...(options.partialSums === undefined ? {} : { partialSums: options.partialSums }),
      enqueue() {
        if (options.failsToLaunch !== undefined) throw new Error(options.failsToLaunch);
        const broken = launches++ >= (options.breaksAfter ?? Number.POSITIVE_INFINITY);
        multiply(shape, operands, broken ? 1 : error);
        device.launched(name);
        if (device.counters) device.profiles.push(profileOf(name, shape, sectorsPerStore));
      },
      close,
      [Symbol.dispose]: close,
    };
  }
  return {
    name,
    package: options.package ?? fakePackage,
    gemm,
    variants: new Map([['default', gemm]]),
    definition: {
      basedOn,
      change: gemm.summary,
      lesson: `Because of ${name}.`,
    } as DiscoveredKernel['definition'],
    with: undefined,
  };
}

export function discoveryOf(...kernels: readonly DiscoveredKernel[]): Discovery {
  return {
    root: '/nowhere',
    kernels,
    packages: [...new Set(kernels.map((k) => k.package))],
    experiments: [],
    broken: [],
    missing: [],
  };
}

export const selected = (kernel: DiscoveredKernel) => ({ gemm: kernel.gemm, kernel });
