import type { Device, GemmShape, Stream } from '@ffma/core';
import { checkProblemData, type DataSetName } from '@ffma/verify';
import type { Scalars } from '../bench/scalars.js';
import { batchOf, type Size } from '../bench/sizes.js';
import { DeviceProblem } from './device-problem.js';

/** Rows of C that go through every gate, of all products of a batch together; each multiply-add of them costs time. */
const AFFORDABLE = 2 ** 27;
const LEAST_ROWS = 8;

/** Fewer rows of each product of a batch, so that judging all of them takes as long as judging one. */
function judgedRows(size: Size): number | undefined {
  const { m, n, k } = size;
  const batch = batchOf(size);
  if (batch === 1) return undefined;
  return Math.min(m, Math.max(LEAST_ROWS, Math.floor(AFFORDABLE / (n * k * batch))));
}

/** Integers that only exact float32 gets right: the canary, where it can serve the problem. */
export function integersFor(shape: GemmShape): DataSetName {
  try {
    checkProblemData(shape, { data: 'canary' });
    return 'canary';
  } catch {
    return 'integers';
  }
}

/** The products of a size in device memory, each with operands of its own: one, or as many as the batch has. */
export class ProblemBatch implements Disposable {
  readonly shape: GemmShape;
  readonly set: DataSetName;
  readonly problems: readonly DeviceProblem[];

  private constructor(shape: GemmShape, set: DataSetName, problems: readonly DeviceProblem[]) {
    this.shape = shape;
    this.set = set;
    this.problems = problems;
  }

  /** @throws OutOfMemoryError; ArgumentError where the data set cannot serve the size */
  static async upload(
    device: Device,
    stream: Stream,
    size: Size,
    { alpha, beta }: Scalars,
    set: DataSetName,
  ): Promise<ProblemBatch> {
    const { m, n, k } = size;
    const shape = { m, n, k, alpha, beta };
    const problems: DeviceProblem[] = [];
    try {
      for (let seed = 1; seed <= batchOf(size); seed++) {
        const options = { seed, judgedRows: judgedRows(size) };
        problems.push(await DeviceProblem.upload(device, stream, shape, set, options));
      }
    } catch (error) {
      for (const problem of problems) problem[Symbol.dispose]();
      throw error;
    }
    return new ProblemBatch(shape, set, problems);
  }

  /** Enqueues what every C has to be before a launch. */
  readonly poison = (stream: Stream): void => {
    for (const problem of this.problems) problem.poison(stream);
  };

  [Symbol.dispose](): void {
    for (const problem of this.problems) problem[Symbol.dispose]();
  }
}
