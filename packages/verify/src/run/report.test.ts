import { KernelFaultError } from '@ffma/core';
import { expect, test } from 'vitest';
import type { GateResult } from '../gates/gate.js';
import { caseJson, caseName, type VerifyCase } from './case.js';
import { type CaseResult, complaint, errorJson, explainCase } from './report.js';

const testCase: VerifyCase = {
  shape: { m: 3, n: 4, k: 5, alpha: Number.NaN, beta: -0.5, lda: 7 },
  data: 'uniform',
  offsets: { b: 2 },
  guards: 'none',
  about: 'a rule',
};

const gate = (name: GateResult['gate'], passed: boolean, decides = true): GateResult => ({
  gate: name,
  passed,
  decides,
  measured: 0,
  limit: 0,
  failures: 0,
  sentence: `${name} speaks.`,
});

function result(status: CaseResult['status'], gates: GateResult[] = []): CaseResult {
  return { name: 'a case', case: caseJson(testCase), status, gates, sentence: 'In short.' };
}

test('a name holds all that makes a case', () => {
  expect(caseName(testCase)).toBe('3×4×5 uniform α=NaN β=-0.5 lda=7 offset=0,2,0 tight (a rule)');
  expect(caseName({ shape: { m: 1, n: 1, k: 1 }, data: 'integers', seed: 9, expect: 'refusal' })).toBe(
    '1×1×1 integers seed=9 refused',
  );
});

test('a case fills in what it leaves out, and survives JSON', () => {
  const json = caseJson(testCase);
  expect(json).toEqual({
    m: 3,
    n: 4,
    k: 5,
    alpha: 'NaN',
    beta: -0.5,
    lda: 7,
    ldb: 4,
    ldc: 4,
    data: 'uniform',
    seed: 1,
    offsets: { a: 0, b: 2, c: 0 },
    guards: 'none',
  });
  expect(JSON.parse(JSON.stringify(json))).toEqual(json);
});

test('an explanation gives every gate that decided, else the sentence', () => {
  const gates = [
    gate('exact', false),
    gate('article', false, false),
    gate('memory', true),
    gate('k-order', false),
  ];
  expect(explainCase(result('failed', gates))).toBe(
    'a case\n  exact: exact speaks.\n  k-order: k-order speaks.',
  );
  expect(explainCase(result('failed'))).toBe('a case\n  In short.');
});

test('a test complains of every status but the expected ones', () => {
  const table = (['run', 'refusal', 'either'] as const).map((wanted) =>
    (['passed', 'failed', 'refused'] as const).map(
      (status) => complaint({ expect: wanted }, result(status)) === undefined,
    ),
  );
  expect(table).toEqual([
    [true, false, false],
    [false, false, true],
    [true, false, true],
  ]);
  expect(complaint({}, result('failed'))).toBe('a case\n  In short.');
});

test('errors of every kind become JSON', () => {
  expect(errorJson(new KernelFaultError('misaligned', 'Off by 4.', { kernel: 'k' }))).toMatchObject({
    name: 'KernelFaultError',
    code: 'FFMA_KERNEL_FAULT',
  });
  expect(errorJson(new RangeError('far'))).toEqual({ name: 'RangeError', message: 'far' });
  expect(errorJson('text')).toEqual({ name: 'Error', message: 'text' });
});
