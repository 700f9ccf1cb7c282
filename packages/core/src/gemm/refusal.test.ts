import { describe, expect, it } from 'vitest';
import { limits } from '../../test/support/fake-device.js';
import { gemmProblem } from './problem.js';
import { archNumber, refusalOf } from './refusal.js';

const problem = gemmProblem({ m: 128, n: 64, k: 20 });

describe('refusalOf', () => {
  it('takes everything where nothing is needed', () => {
    expect(refusalOf({}, problem)).toBeUndefined();
    expect(refusalOf({ multiples: {} }, problem)).toBeUndefined();
  });

  it('names the extent, the multiple and the value', () => {
    expect(refusalOf({ multiples: { m: 64, n: 64, k: 16 } }, problem)).toBe(
      'k must be a multiple of 16, but is 20.',
    );
    expect(refusalOf({ multiples: { m: 64, n: 64, k: 4 } }, problem)).toBeUndefined();
  });

  it('takes a shape alone, of packed matrices', () => {
    expect(refusalOf({ alignment: 16 }, { m: 128, n: 64, k: 20 })).toBeUndefined();
    expect(refusalOf({ alignment: 16 }, { m: 128, n: 64, k: 19 })).toMatch(/Every row of A must start/);
  });

  it('names the matrix that is not aligned', () => {
    const odd = gemmProblem({ m: 128, n: 64, k: 20, ldb: 65 });
    expect(refusalOf({ alignment: 16 }, odd)).toMatch(
      /row of B must start at a multiple of 16 bytes.*\(65\) give 4/,
    );
    expect(refusalOf({ alignment: 16 }, gemmProblem({ m: 4, n: 4, k: 4 }, { c: 8 }))).toMatch(/row of C/);
    expect(refusalOf({ alignment: 16 }, problem)).toBeUndefined();
  });

  it('asks the architecture only where a device is given', () => {
    expect(refusalOf({ arch: 90 }, problem)).toBeUndefined();
    expect(refusalOf({ arch: 90 }, problem, { arch: 'sm_90', limits })).toBeUndefined();
    expect(refusalOf({ arch: 90 }, problem, { arch: 'sm_80', limits })).toBe(
      'It needs sm_90 or newer, but the device is sm_80.',
    );
  });
});

describe('archNumber', () => {
  it('reads every spelling', () => {
    expect(['sm_90', 'compute_80', 'sm_90a', 'sm_120'].map(archNumber)).toEqual([90, 80, 90, 120]);
  });
});
