import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type GemmShape, gemmProblem, matrixBytes, type PlanArg } from '@ffma/core';
import { profiles } from '@ffma/emulator';
import { kernels } from '../../src/index.js';
import { type Filling, filled } from './golden-data.js';

/** Floats by their bits: JSON has no −0. */
export type GoldenArg =
  | { readonly type: 'operand'; readonly operand: 'a' | 'b' | 'c' }
  | { readonly type: 'i32'; readonly value: number }
  | { readonly type: 'f32'; readonly bits: number };

function recordable(arg: PlanArg): GoldenArg {
  if (arg.type === 'operand' || arg.type === 'i32') return { ...arg, type: arg.type } as GoldenArg;
  if (arg.type === 'f32')
    return { type: 'f32', bits: new Uint32Array(Float32Array.of(arg.value).buffer)[0] as number };
  throw new Error(`The recorder passes no argument of type ${arg.type}.`);
}

/** A launch with everything the recorder needs: no part of it depends on this package's code. */
export interface GoldenCase {
  readonly name: string;
  readonly kernel: string;
  readonly ptx: string;
  readonly symbol: string;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  readonly sharedBytes: number;
  readonly filling: Filling;
  readonly seeds: { readonly a: number; readonly b: number; readonly c: number };
  /** Elements of each matrix, padding included. */
  readonly lengths: { readonly a: number; readonly b: number; readonly c: number };
  readonly args: readonly GoldenArg[];
}

const PTX_FOLDER = new URL('./ptx/', import.meta.url);

const SHAPES: readonly (GemmShape & { filling?: Filling })[] = [
  { m: 1, n: 1, k: 1 },
  { m: 33, n: 17, k: 65 },
  { m: 128, n: 128, k: 128 },
  { m: 127, n: 129, k: 63 },
  { m: 256, n: 256, k: 256 },
  { m: 32, n: 32, k: 32 },
  { m: 31, n: 33, k: 1 },
  { m: 1, n: 100, k: 300 },
  { m: 100, n: 1, k: 300 },
  { m: 64, n: 64, k: 1000 },
  { m: 65, n: 63, k: 31, alpha: 0.7, beta: -1.3 },
  { m: 40, n: 50, k: 60, lda: 67, ldb: 59, ldc: 71, alpha: -2, beta: 0.5 },
  { m: 33, n: 35, k: 0, beta: 3 },
  { m: 33, n: 35, k: 0 },
  { m: 48, n: 48, k: 48, alpha: 0, beta: -1 },
  { m: 128, n: 96, k: 80, filling: 'wide' },
  { m: 70, n: 90, k: 129, alpha: 1.1, beta: 0.9, filling: 'wide' },
  { m: 64, n: 64, k: 64, filling: 'tiny' },
  { m: 37, n: 41, k: 53, alpha: 0.3, beta: 0.7, filling: 'tiny' },
  { m: 45, n: 45, k: 9, filling: 'special' },
];

/** The PTX that was recorded, by kernel name: a copy, so that another compiler does not change what is compared. */
export function goldenPtx(kernel: string): { file: string; text: string; sha256: string } {
  const file = readdirSync(PTX_FOLDER).find((name) => name.startsWith(`${kernel}_`));
  if (file === undefined) throw new Error(`There is no recorded PTX of ${kernel}.`);
  const text = readFileSync(new URL(file, PTX_FOLDER), 'utf8');
  return { file, text, sha256: createHash('sha256').update(text).digest('hex') };
}

const words = (bytes: number) => bytes / 4;

/** Every kernel that has recorded PTX, at every shape. */
export function goldenCases(): GoldenCase[] {
  const recorded = readdirSync(PTX_FOLDER).map((name) => name.split('_')[0]);
  const device = { limits: profiles.h200.limits, arch: profiles.h200.arch };
  const resources = { main: { registers: 32, sharedBytes: 0, spillBytes: 0, estimated: true } };
  return kernels
    .filter((kernel) => recorded.includes(kernel.name))
    .flatMap((kernel) =>
      SHAPES.map(({ filling = 'unit', ...shape }, index): GoldenCase => {
        const problem = gemmProblem(shape);
        const [launch, ...more] = kernel.plan(problem, device, resources).launches;
        if (launch === undefined || more.length > 0)
          throw new Error(`${kernel.id} is expected to plan one launch.`);
        const { m, n, k, lda, ldb, ldc } = problem;
        return {
          name: `${kernel.id} #${index} ${JSON.stringify(shape)} ${filling}`,
          kernel: kernel.name,
          ptx: goldenPtx(kernel.name).file,
          symbol: kernel.symbols[launch.entry]!,
          grid: launch.grid,
          block: launch.block,
          sharedBytes: launch.sharedBytes,
          filling,
          seeds: { a: 1000 + index, b: 2000 + index, c: 3000 + index },
          lengths: {
            a: words(matrixBytes(m, k, lda)),
            b: words(matrixBytes(k, n, ldb)),
            c: words(matrixBytes(m, n, ldc)),
          },
          args: launch.args.map(recordable),
        };
      }),
    );
}

/** Contents of the matrices of a case. */
export function goldenInputs({ lengths, seeds, filling }: GoldenCase) {
  return {
    a: filled(lengths.a, seeds.a, filling),
    b: filled(lengths.b, seeds.b, filling),
    c: filled(lengths.c, seeds.c, filling),
  };
}
