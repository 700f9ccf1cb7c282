import { expect, test } from 'vitest';
import { MatrixImage } from '../data/matrix-image.js';
import { makeProblemData } from '../data/problem-data.js';
import { doubleReference } from '../reference/double.js';
import { tf32 } from '../test-support/js-kernels.js';
import { outcomeOf } from '../test-support/outcome.js';
import { exactGate, kOrderGate } from './same-values.js';

const input = (got: number[], want: number[]) => ({ m: 1, n: got.length, got: new Float32Array(got), want });

test('equal bits pass', () => {
  const result = kOrderGate(
    input([1, -0, Number.NaN, Number.POSITIVE_INFINITY], [1, -0, Number.NaN, Number.POSITIVE_INFINITY]),
  );
  expect(result).toMatchObject({ gate: 'k-order', passed: true, measured: 0, limit: 0, failures: 0 });
  expect(result.worst).toBeUndefined();
});

test('NaN fails against a number, and a number against NaN', () => {
  expect(kOrderGate(input([Number.NaN], [0])).passed).toBe(false);
  expect(kOrderGate(input([0], [Number.NaN])).passed).toBe(false);
  expect(exactGate(input([Number.NaN], [0]), 'same').passed).toBe(false);
  expect(exactGate(input([0], [Number.NaN]), 'same').passed).toBe(false);
});

test('the sign of zero counts, unless it is said not to', () => {
  expect(exactGate(input([-0], [0])).passed).toBe(false);
  expect(exactGate(input([-0], [0]), 'same').passed).toBe(true);
  const { worst } = kOrderGate(input([5, -0], [5, 0]));
  expect(worst).toEqual({ matrix: 'c', row: 0, col: 1, got: '-0', want: 0, gotWord: '0x80000000' });
});

test('the worst element is named, one last bit is enough, and NaN is worse than any number', () => {
  const one = exactGate(input([1, 2 + 2 ** -22, 3], [1, 2, 3]));
  expect(one).toMatchObject({
    passed: false,
    failures: 1,
    worst: { row: 0, col: 1, got: 2 + 2 ** -22, want: 2 },
  });
  expect(one.sentence).toBe(
    '1 of 3 elements differs from the exact result; the worst: C[0][1] is 2.000000238418579 (0x40000001), not 2.',
  );
  expect(exactGate(input([9, Number.NaN, 3], [1, 2, 3])).worst).toMatchObject({ col: 1, got: 'NaN' });
});

test('the canary shows nearly every element of a TF32 product', () => {
  const data = makeProblemData({ m: 64, n: 64, k: 1024 }, { data: 'canary' });
  const got = new MatrixImage(data.c.layout, outcomeOf(data, tf32).c).elements();
  const { failures } = exactGate({ m: 64, n: 64, got, want: doubleReference(data).values });
  expect(failures / got.length).toBeGreaterThan(0.95);
  const short = makeProblemData({ m: 64, n: 48, k: 256 }, { data: 'canary' });
  const shortGot = new MatrixImage(short.c.layout, outcomeOf(short, tf32).c).elements();
  const wrong = exactGate({ m: 64, n: 48, got: shortGot, want: doubleReference(short).values }).failures;
  expect(wrong / shortGot.length).toBeGreaterThan(0.9);
});
