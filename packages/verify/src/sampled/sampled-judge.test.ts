import type { GemmShape } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import type { DataSetName } from '../data/data-set.js';
import { makeProblemData } from '../data/problem-data.js';
import { Random } from '../data/random.js';
import type { GateResult } from '../gates/gate.js';
import { judge } from '../gates/judge.js';
import type { JsRun } from '../test-support/js-gemm.js';
import { kernel, kernelThen, splitKernel, wrongKernels } from '../test-support/js-kernels.js';
import { outcomeOf } from '../test-support/outcome.js';
import { affordableRows, sampleRows } from './sample-rows.js';
import { SampledJudge } from './sampled-judge.js';

const odd: GemmShape = { m: 61, n: 23, k: 30, lda: 33, ldb: 27, ldc: 29 };

function judged(
  compute: (run: JsRun) => void,
  set: DataSetName,
  { shape = odd, rows = 5, exactness = 'k-order' as 'k-order' | 'reordered' } = {},
): GateResult[] {
  const data = makeProblemData(shape, { data: set, offsets: { a: 1, b: 2, c: 3 } });
  return new SampledJudge(data, { rows }).judge(outcomeOf(data, compute), { exactness });
}

const failing = (gates: readonly GateResult[]) => gates.filter((g) => !g.passed).map((g) => g.gate);

/** Right, but for one element. */
const off = (row: number, col: number, change: (value: number) => number) =>
  kernelThen(({ c, problem: { ldc } }) => {
    const index = c.start + row * ldc + col;
    c.memory[index] = change(c.memory[index] as number);
  });

describe('rows', () => {
  test('hold both ends and one of each part between, or all there are', () => {
    const rows = sampleRows(100, 10, new Random(7));
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([10, 0, 99]);
    for (let i = 1; i < rows.length; i++) {
      expect(rows[i]! - rows[i - 1]!).toBeGreaterThan(0);
      expect(rows[i]! - rows[i - 1]!).toBeLessThanOrEqual(26);
    }
    expect(sampleRows(3, 8, new Random(1))).toEqual([0, 1, 2]);
    expect(sampleRows(9, 8, new Random(1))).toHaveLength(8);
    expect([sampleRows(9, 1, new Random(1)), sampleRows(0, 4, new Random(1))]).toEqual([[0], []]);
  });

  test('are all of a small problem, and few of a large one', () => {
    expect(affordableRows({ m: 512, n: 512, k: 512 })).toBe(512);
    expect(affordableRows({ m: 1024, n: 1024, k: 1024 })).toBe(128);
    expect(affordableRows({ m: 8192, n: 8192, k: 8192 })).toBe(8);
    expect(affordableRows({ m: 4, n: 8192, k: 8192 })).toBe(4);
  });
});

describe('the right kernel', () => {
  test.each(['integers', 'canary', 'uniform', 'normal', 'special'] as const)('passes on %s data', (set) => {
    for (const scalars of [{}, { alpha: -1.5, beta: 0.5 }, { k: 0, beta: 2 }]) {
      const gates = judged(kernel(), set, { shape: { ...odd, ...scalars } });
      expect(failing(gates)).toEqual([]);
      expect(gates.some(({ gate }) => gate === 'combination')).toBe(set !== 'special');
    }
  });

  test('passes in another order, as reordered', () => {
    for (const set of ['integers', 'uniform', 'normal'] as const)
      expect(failing(judged(splitKernel, set, { exactness: 'reordered' }))).toEqual([]);
  });
});

describe('a wrong element in a row that was not drawn', () => {
  const data = makeProblemData(odd, { data: 'integers' });
  const { rows } = new SampledJudge(data, { rows: 5 });
  const row = [...Array(61).keys()].find((candidate) => !rows.includes(candidate))!;

  test.each([0, 11, 22])('off by 1 shows where sums are exact, column %i', (col) => {
    const gates = judged(
      off(row, col, (x) => x + 1),
      'integers',
    );
    expect(failing(gates)).toEqual(['combination']);
    const { worst, sentence } = gates.find(({ gate }) => gate === 'combination')!;
    expect(worst).toMatchObject({ matrix: 'c', row, col });
    expect(sentence).toMatch(/in 1 of 61 rows; in the worst of them C\[\d+\]\[\d+\] is/);
  });

  test('shows on random data where it is not an error of rounding', () => {
    expect(
      failing(
        judged(
          off(row, 4, () => Number.NaN),
          'uniform',
        ),
      ),
    ).toEqual(['combination']);
    expect(
      failing(
        judged(
          off(row, 4, (x) => x + 0.01),
          'uniform',
        ),
      ),
    ).toEqual(['combination']);
    expect(
      failing(
        judged(
          off(row, 4, (x) => x * (1 + 2 ** -23)),
          'uniform',
        ),
      ),
    ).toEqual([]);
  });

  test('two of a row that cancel in a plain sum show, too', () => {
    const wrong = kernelThen((run) => {
      off(row, 3, (x) => x + 1)(run);
      const { c, problem } = run;
      const [i, j] = [c.start + row * problem.ldc + 3, c.start + row * problem.ldc + 9];
      const x = c.memory[i] as number;
      c.memory[i] = x + 1;
      c.memory[j] = (c.memory[j] as number) - 1;
    });
    expect(failing(judged(wrong, 'canary'))).toEqual(['combination']);
  });
});

describe('wrong kernels fail, as they do when all rows are judged', () => {
  test.each([
    ['inputs rounded to TF32', 'canary'],
    ['the last k dropped', 'uniform'],
    ['a tile left out', 'uniform'],
    ['A taken as column-major', 'integers'],
    ['a write past the end', 'uniform'],
    ['a write before the start', 'uniform'],
    ['a write to the padding', 'uniform'],
    ['an input changed', 'integers'],
    ['multiply and add rounded apart', 'uniform'],
    ['k walked downwards', 'uniform'],
    ['one element off by 0.1 %', 'uniform'],
  ] as const)('%s', (wrong, set) => {
    const data = makeProblemData(odd, { data: set });
    const outcome = outcomeOf(data, wrongKernels[wrong]);
    const whole = failing(judge(data, outcome, { exactness: 'k-order' }));
    const some = failing(new SampledJudge(data, { rows: 5 }).judge(outcome, { exactness: 'k-order' }));
    expect(whole.length).toBeGreaterThan(0);
    expect(some.filter((gate) => gate !== 'combination')).toEqual(
      whole.filter((gate) => some.includes(gate)),
    );
    expect(some.length).toBeGreaterThan(0);
  });
});

test('an element is named by its row in the whole of C', () => {
  const gates = judged(
    off(60, 2, (x) => x + 64),
    'integers',
  );
  const exact = gates.find(({ gate }) => gate === 'exact')!;
  expect(exact.worst).toMatchObject({ row: 60, col: 2 });
  expect(exact.sentence).toContain('C[60][2]');
});

test('with every row drawn it judges as the gates do', () => {
  const data = makeProblemData(odd, { data: 'uniform' });
  const outcome = outcomeOf(data, kernel());
  const judged = new SampledJudge(data).judge(outcome, { exactness: 'k-order' });
  expect(judged).toEqual(judge(data, outcome, { exactness: 'k-order' }));
});
