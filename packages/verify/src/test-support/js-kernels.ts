import { bitsOf, floatOf } from '../float/bits.js';
import { fma32 } from '../float/fma32.js';
import type { JsRun } from './js-gemm.js';

export interface KernelParts {
  /** Element of A for (row, p), and of B for (p, col). */
  readonly a?: (run: JsRun, row: number, p: number) => number;
  readonly b?: (run: JsRun, p: number, col: number) => number;
  readonly fma?: (x: number, y: number, z: number) => number;
  /** The p that the chain visits at step i. */
  readonly step?: (run: JsRun, i: number) => number;
  readonly steps?: (run: JsRun) => number;
  readonly skip?: (run: JsRun, row: number, col: number) => boolean;
  readonly epilogue?: (run: JsRun, acc: number, c: number) => number;
}

const readA = ({ a, problem }: JsRun, row: number, p: number) => a.memory[a.start + row * problem.lda + p]!;
const readB = ({ b, problem }: JsRun, p: number, col: number) => b.memory[b.start + p * problem.ldb + col]!;

const fused = ({ problem: { alpha, beta } }: JsRun, acc: number, c: number) => {
  const scaled = Math.fround(alpha * acc);
  return beta === 0 ? scaled : fma32(beta, c, scaled);
};

/** A kernel, element by element; each part can be replaced by a wrong one. */
export function kernel(parts: KernelParts = {}): (run: JsRun) => void {
  const { a = readA, b = readB, fma = fma32, step = (_, i) => i, steps = ({ problem }) => problem.k } = parts;
  const { skip = () => false, epilogue = fused } = parts;
  return (run) => {
    const { m, n, ldc } = run.problem;
    for (let row = 0; row < m; row++) {
      for (let col = 0; col < n; col++) {
        if (skip(run, row, col)) continue;
        let acc = 0;
        for (let i = 0; i < steps(run); i++) {
          const p = step(run, i);
          acc = fma(a(run, row, p), b(run, p, col), acc);
        }
        const index = run.c.start + row * ldc + col;
        run.c.memory[index] = epilogue(run, acc, run.c.memory[index]!);
      }
    }
  };
}

/** The right kernel, then something done to the result, or to other memory. */
export function kernelThen(spoil: (run: JsRun) => void): (run: JsRun) => void {
  const right = kernel();
  return (run) => {
    right(run);
    spoil(run);
  };
}

/** Rounded to TF32's 11 significant bits, ties to even, as `cvt.rn.tf32.f32` does. */
export function toTf32(value: number): number {
  if (!Number.isFinite(value)) return value;
  const bits = bitsOf(value);
  return floatOf((bits + 0xfff + ((bits >>> 13) & 1)) & ~0x1fff);
}

export const tf32 = kernel({
  a: (run, row, p) => toTf32(readA(run, row, p)),
  b: (run, p, col) => toTf32(readB(run, p, col)),
});

const last = ({ c, problem: { m, n, ldc } }: JsRun) => c.start + (m - 1) * ldc + n - 1;

/**
 * Right, in another order: two halves of k, each scaled by alpha on its own and added to beta·C in turn, every
 * product and sum rounded apart, as a kernel that splits k and adds atomically would.
 */
export function splitKernel(run: JsRun): void {
  const { problem, c } = run;
  const { m, n, k, ldc, alpha, beta } = problem;
  const round = Math.fround;
  const half = (row: number, col: number, from: number, to: number) => {
    let acc = 0;
    for (let p = from; p < to; p++) acc = round(acc + round(readA(run, row, p) * readB(run, p, col)));
    return round(alpha * acc);
  };
  for (let row = 0; row < m; row++) {
    for (let col = 0; col < n; col++) {
      const index = c.start + row * ldc + col;
      const middle = k >> 1;
      const scaled = beta === 0 ? 0 : round(beta * c.memory[index]!);
      const first = round(scaled + half(row, col, 0, middle));
      c.memory[index] = round(first + half(row, col, middle, k));
    }
  }
}

/** Wrong kernels, by what is wrong with them. */
export const wrongKernels = {
  'one element off by 0.1 %': kernelThen((run) => {
    run.c.memory[last(run)]! *= 1.001;
  }),
  'the last k dropped': kernel({ steps: ({ problem }) => Math.max(0, problem.k - 1) }),
  'inputs rounded to TF32': tf32,
  'a tile left out': kernel({ skip: ({ problem: { m, n } }, row, col) => row >= m / 2 && col >= n / 2 }),
  'A taken as column-major': kernel({
    a: ({ a, problem }, row, p) => a.memory[a.start + p * problem.m + row]!,
  }),
  'B taken as column-major': kernel({
    b: ({ b, problem }, p, col) => b.memory[b.start + col * problem.k + p]!,
  }),
  'one NaN': kernelThen((run) => {
    run.c.memory[last(run)] = Number.NaN;
  }),
  'a write past the end': kernelThen((run) => {
    run.c.memory[last(run) + 1] = 0;
  }),
  'a write before the start': kernelThen((run) => {
    run.c.memory[run.c.start - 1] = 0;
  }),
  'a write to the padding': kernelThen(({ c, problem: { m, n, ldc } }) => {
    if (m > 1 && ldc > n) c.memory[c.start + n] = 0;
  }),
  'an input changed': kernelThen(({ a }) => {
    a.memory[a.start]! += 1;
  }),
  'C read where beta is 0': kernel({
    epilogue: ({ problem: { alpha, beta } }, acc, c) => fma32(beta, c, Math.fround(alpha * acc)),
  }),
  'padding read as part of the row': kernel({ steps: ({ problem: { k } }) => Math.ceil(k / 4) * 4 }),
  'multiply and add rounded apart': kernel({ fma: (x, y, z) => Math.fround(Math.fround(x * y) + z) }),
  'k walked downwards': kernel({ step: ({ problem: { k } }, i) => k - 1 - i }),
  'subnormals flushed': kernel({
    fma: (x, y, z) => {
      const result = fma32(x, y, z);
      return Math.abs(result) < 2 ** -126 ? 0 : result;
    },
  }),
  'alpha left out': kernel({
    epilogue: ({ problem: { beta } }, acc, c) => (beta === 0 ? acc : fma32(beta, c, acc)),
  }),
} as const satisfies Record<string, (run: JsRun) => void>;
