import type { Exactness, GemmShape } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import type { DataSetName } from '../data/data-set.js';
import { makeProblemData } from '../data/problem-data.js';
import { type KernelParts, kernel, splitKernel, wrongKernels } from '../test-support/js-kernels.js';
import { outcomeOf } from '../test-support/outcome.js';
import type { GateName, GateResult } from './gate.js';
import { judge } from './judge.js';

const odd: GemmShape = { m: 19, n: 23, k: 30, lda: 33, ldb: 27, ldc: 29 };

function judged(
  compute: ReturnType<typeof kernel>,
  shape: GemmShape,
  data: DataSetName,
  exactness: Exactness = 'k-order',
): GateResult[] {
  const problem = makeProblemData(shape, { data, offsets: { a: 1, b: 2, c: 3 } });
  return judge(problem, outcomeOf(problem, compute), { exactness });
}

const failing = (gates: readonly GateResult[]) => gates.filter((g) => !g.passed).map((g) => g.gate);
const names = (gates: readonly GateResult[]) => gates.map((g) => g.gate);

describe('the right kernel', () => {
  const cases: [DataSetName, GemmShape, GateName[]][] = [
    ['integers', odd, ['exact', 'k-order', 'hard-bound', 'article', 'written', 'memory']],
    ['canary', odd, ['exact', 'k-order', 'hard-bound', 'article', 'written', 'memory']],
    ['uniform', odd, ['k-order', 'hard-bound', 'quality', 'article', 'written', 'memory']],
    ['normal', { ...odd, alpha: 1.7, beta: -0.3 }, ['k-order', 'hard-bound', 'quality', 'article', 'memory']],
    ['special', odd, ['k-order', 'hard-bound', 'written', 'memory']],
    ['special', { ...odd, alpha: -1.5, beta: 0.5 }, ['k-order', 'hard-bound', 'memory']],
    ['uniform', { ...odd, k: 0, beta: 1.3 }, ['exact', 'k-order', 'article', 'memory']],
    ['unread', { ...odd, alpha: 0 }, ['exact', 'k-order', 'written', 'memory']],
    ['normal', { ...odd, alpha: Number.NaN, beta: 1 }, ['k-order', 'hard-bound', 'memory']],
    ['uniform', { ...odd, m: 0 }, ['k-order', 'hard-bound', 'quality', 'article', 'written', 'memory']],
  ];
  test.each(cases)('passes every gate on %s data, %j', (data, shape, gates) => {
    const results = judged(kernel(), shape, data);
    expect(failing(results)).toEqual([]);
    expect(names(results)).toEqual(gates);
  });

  test('a library that adds in another order passes as reordered, not as k-order', () => {
    const backwards = wrongKernels['k walked downwards'];
    expect(failing(judged(backwards, odd, 'uniform', 'reordered'))).toEqual([]);
    expect(failing(judged(backwards, odd, 'integers', 'reordered'))).toEqual([]);
    expect(failing(judged(backwards, odd, 'special', 'reordered'))).toEqual([]);
    expect(failing(judged(backwards, odd, 'uniform'))).toEqual(['k-order']);
  });

  test('every order passes as reordered, on all data and scalars', () => {
    for (const compute of [splitKernel, wrongKernels['k walked downwards'], kernel()]) {
      for (const data of ['integers', 'uniform', 'normal', 'special'] as const) {
        for (const scalars of [
          {},
          { alpha: -1.5, beta: 0.5 },
          { alpha: 1.7, beta: -0.3 },
          { alpha: 0, beta: 2 },
          { k: 0, beta: -1.7 },
        ]) {
          const shape = { ...odd, m: 40, n: 36, ldb: 37, ldc: 37, ...scalars };
          expect(
            failing(judged(compute, shape, data, 'reordered')),
            `${data} ${JSON.stringify(scalars)}`,
          ).toEqual([]);
        }
      }
    }
  });

  test('a reordered sum of nothing but zeros may have either sign', () => {
    const parts: KernelParts = { epilogue: ({ problem: { alpha } }, acc) => alpha * acc + 0 };
    const zeros = { ...odd, m: 1, n: 1, k: 1, alpha: -1 };
    const data = makeProblemData(zeros, { data: 'integers' });
    data.a.values[data.a.layout.start] = 0;
    const outcome = outcomeOf(data, kernel(parts));
    expect(failing(judge(data, outcome, { exactness: 'reordered' }))).toEqual([]);
    expect(failing(judge(data, outcome, { exactness: 'k-order' }))).toEqual(['exact', 'k-order']);
  });
});

describe('wrong kernels', () => {
  const cases: [keyof typeof wrongKernels, DataSetName, GemmShape, GateName[]][] = [
    ['one element off by 0.1 %', 'integers', odd, ['exact', 'k-order', 'hard-bound']],
    ['one element off by 0.1 %', 'uniform', odd, ['k-order', 'hard-bound', 'quality']],
    ['the last k dropped', 'integers', odd, ['exact', 'k-order', 'hard-bound', 'article']],
    ['the last k dropped', 'uniform', odd, ['k-order', 'hard-bound', 'quality', 'article']],
    ['inputs rounded to TF32', 'canary', odd, ['exact', 'k-order', 'hard-bound', 'article']],
    ['inputs rounded to TF32', 'uniform', odd, ['k-order', 'hard-bound', 'quality', 'article']],
    ['a tile left out', 'integers', odd, ['exact', 'k-order', 'hard-bound', 'article', 'written']],
    ['a tile left out', 'special', odd, ['k-order', 'hard-bound', 'written']],
    [
      'A taken as column-major',
      'integers',
      { m: 24, n: 20, k: 24 },
      ['exact', 'k-order', 'hard-bound', 'article'],
    ],
    [
      'B taken as column-major',
      'uniform',
      { m: 20, n: 24, k: 24 },
      ['k-order', 'hard-bound', 'quality', 'article'],
    ],
    ['one NaN', 'integers', odd, ['exact', 'k-order', 'hard-bound', 'article']],
    ['one NaN', 'uniform', odd, ['k-order', 'hard-bound', 'quality', 'article']],
    ['a write past the end', 'uniform', odd, ['memory']],
    ['a write before the start', 'uniform', odd, ['memory']],
    ['a write to the padding', 'uniform', odd, ['memory']],
    ['an input changed', 'uniform', odd, ['memory']],
    ['padding read as part of the row', 'integers', odd, ['exact', 'k-order', 'hard-bound', 'article']],
    ['multiply and add rounded apart', 'uniform', odd, ['k-order']],
    ['k walked downwards', 'uniform', odd, ['k-order']],
    ['subnormals flushed', 'special', odd, ['k-order', 'hard-bound']],
    [
      'alpha left out',
      'integers',
      { ...odd, alpha: 2, beta: 3 },
      ['exact', 'k-order', 'hard-bound', 'article'],
    ],
  ];
  test.each(cases)('%s fails on %s data, %j', (wrong, data, shape, gates) => {
    expect(failing(judged(wrongKernels[wrong], shape, data))).toEqual(gates);
  });

  const readsC = 'C read where beta is 0';
  test(`${readsC} fails`, () => {
    // Whether the poison's payload survives the arithmetic, and so whether it looks unwritten, is the processor's choice.
    const gates = failing(judged(wrongKernels[readsC], odd, 'integers')).filter((gate) => gate !== 'written');
    expect(gates).toEqual(['exact', 'k-order', 'hard-bound', 'article']);
  });

  test('every wrong kernel has a test', () => {
    expect(new Set([...cases.map(([wrong]) => wrong), readsC])).toEqual(new Set(Object.keys(wrongKernels)));
  });

  test('results are the same after JSON', () => {
    for (const wrong of ['one NaN', 'a write past the end', 'a tile left out'] as const) {
      const results = judged(wrongKernels[wrong], odd, 'integers');
      expect(JSON.parse(JSON.stringify(results))).toEqual(results);
    }
  });
});
