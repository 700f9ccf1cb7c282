import { describe, expect, test } from 'vitest';
import { FakeDevice } from '../test-support/fake-device.js';
import { JsGemm, type JsRun } from '../test-support/js-gemm.js';
import { kernel } from '../test-support/js-kernels.js';
import type { VerifyCase } from './case.js';
import { explainCase } from './report.js';
import { verifyGemm } from './verify-gemm.js';

const small: VerifyCase = { shape: { m: 9, n: 10, k: 11 }, data: 'integers', expect: 'run' };

describe('a kernel that has sizes compiled in', () => {
  test('passes with sizes compiled in: each is loaded once, and announced', async () => {
    const device = new FakeDevice();
    let loads = 0;
    const gemm = new JsGemm(kernel(), {
      sized: true,
      needs: { multiples: { m: 16, n: 8, k: 4 }, alignment: 16 },
      onLoad: () => loads++,
    });
    const announced: string[] = [];
    const report = await verifyGemm(device, gemm, { onLoad: ({ id }) => announced.push(id) });
    expect(report.cases.filter((c) => c.status === 'failed').map(explainCase)).toEqual([]);
    expect(report).toMatchObject({ outcome: 'passed', gemm: { id: gemm.id } });
    expect(report.counts.refused).toBeGreaterThanOrEqual(3 + 3 + 6);
    expect(report.artefact?.ranAs).toBe('emulated');
    expect(announced).toHaveLength(loads);
    expect(new Set(announced).size).toBe(loads);
    expect(announced[0]).toMatch(/^js_m128_n64_k64$/);
    expect(gemm.opened).toBe(0);
  });

  test('a size that does not compile ends the run with what was found', async () => {
    let loads = 0;
    const gemm = new JsGemm(kernel(), {
      sized: true,
      onLoad: () => {
        if (++loads === 2) throw new RangeError('no such size');
      },
    });
    const report = await verifyGemm(new FakeDevice(), gemm, {
      cases: [
        small,
        { ...small, shape: { m: 1, n: 0, k: 1 }, expect: 'refusal' },
        { ...small, shape: { m: 1, n: 1, k: 1 } },
      ],
    });
    expect(report.cases.map(({ status }) => status)).toEqual(['passed', 'refused']);
    expect(report.ended).toMatchObject({ by: 'load', error: { message: 'no such size' } });
    expect(gemm.opened).toBe(0);
  });
});

describe('a kernel that splits its sums', () => {
  const shape = { m: 1, n: 1, k: 2 };
  const sloppy = ({ c }: JsRun) => {
    c.memory[c.start] = 12;
  };

  test('is held to the bound of as many partial sums as it declares', async () => {
    const bound = async (partialSums?: number) => {
      const options = {
        exactness: 'reordered',
        ...(partialSums === undefined ? {} : { partialSums }),
      } as const;
      const gemm = new JsGemm(sloppy, options);
      const report = await verifyGemm(new FakeDevice(), gemm, { cases: [{ shape, data: 'uniform' }] });
      return report.cases[0]?.gates.find(({ gate }) => gate === 'hard-bound')?.sentence;
    };
    expect(await bound()).toMatch(/γ\(5\)/);
    expect(await bound(4)).toMatch(/γ\(8\)/);
  });
});
