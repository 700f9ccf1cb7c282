import { ArgumentError, KernelFaultError, UnsupportedError } from '@ffma/core';
import { describe, expect, test } from 'vitest';
import { conformanceCases } from '../conformance/conformance-cases.js';
import { FakeDevice } from '../test-support/fake-device.js';
import { JsGemm, type JsGemmOptions, type JsRun } from '../test-support/js-gemm.js';
import { kernel, wrongKernels } from '../test-support/js-kernels.js';
import type { VerifyCase } from './case.js';
import { explainCase } from './report.js';
import { verifyGemm } from './verify-gemm.js';

const small: VerifyCase = { shape: { m: 9, n: 10, k: 11 }, data: 'integers', expect: 'run' };
const three: VerifyCase[] = [small, { ...small, data: 'uniform' }, { ...small, seed: 2 }];

async function verify(compute: (run: JsRun) => void, options: JsGemmOptions = {}, cases = three) {
  const device = new FakeDevice();
  const gemm = new JsGemm(compute, options);
  const report = await verifyGemm(device, gemm, { cases });
  expect({ device: device.open, gemm: gemm.opened }, 'everything is closed').toEqual({ device: 0, gemm: 0 });
  return report;
}

describe('a right kernel', () => {
  test('passes its full conformance', async () => {
    for (const options of [
      {},
      { needs: { multiples: { m: 16, n: 8, k: 4 }, alignment: 16 } },
    ] as JsGemmOptions[]) {
      const device = new FakeDevice();
      const report = await verifyGemm(device, new JsGemm(kernel(), options));
      const wrong = report.cases.filter((c) => c.status === 'failed').map(explainCase);
      expect(wrong).toEqual([]);
      expect(report).toMatchObject({ outcome: 'passed', counts: { failed: 0, asked: report.cases.length } });
      expect(report.counts.refused).toBe(options.needs === undefined ? 0 : 9);
      expect(report.sentence).toMatch(/^js passed: of \d+ cases \d+ passed/);
    }
  });

  test('reports progress, its artefact and JSON', async () => {
    const seen: string[] = [];
    const report = await verifyGemm(new FakeDevice(), new JsGemm(kernel()), {
      cases: three,
      onCase: ({ status }, done, total) => seen.push(`${status} ${done}/${total}`),
    });
    expect(seen).toEqual(['passed 1/3', 'passed 2/3', 'passed 3/3']);
    expect(report.artefact?.ranAs).toBe('emulated');
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });
});

describe('wrong kernels', () => {
  test.each(Object.keys(wrongKernels) as (keyof typeof wrongKernels)[])(
    '%s: fails the quick cases, all of which run',
    async (wrong) => {
      const gemm = new JsGemm(wrongKernels[wrong]);
      const cases = conformanceCases(gemm, { level: 'quick' });
      const report = await verifyGemm(new FakeDevice(), gemm, { cases });
      expect(report.outcome).toBe('failed');
      expect(report.cases.length).toBe(cases.length);
    },
  );

  test('a kernel that does not reduce alpha = 0 and k = 0 fails there', async () => {
    const report = await verifyGemm(new FakeDevice(), new JsGemm(kernel(), { raw: true }));
    const failed = report.cases.filter((c) => c.status === 'failed').map((c) => c.name);
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.every((name) => /alpha = 0|k = 0/.test(name))).toBe(true);
  });

  test('an explanation names the case, the gate and the element', async () => {
    const report = await verify(wrongKernels['one NaN'], {}, [small]);
    expect(explainCase(report.cases[0]!)).toMatch(
      /^9×10×11 integers\n {2}exact: 1 of 90 elements differs from the exact result; the worst: C\[8\]\[9\] is NaN/,
    );
  });
});

describe('refusals', () => {
  const needs = { multiples: { m: 4 } };

  test('an announced refusal is counted, with its sentence', async () => {
    const report = await verify(kernel(), { needs }, [
      { ...small, expect: 'either' },
      { ...small, shape: { m: 8, n: 8, k: 8 } },
    ]);
    expect(report).toMatchObject({ outcome: 'passed', counts: { passed: 1, refused: 1, failed: 0 } });
    expect(report.cases[0]).toMatchObject({
      status: 'refused',
      refusal: 'm must be a multiple of 4, but is 9.',
      gates: [],
    });
  });

  test('a refusal from another copy of core is as good', async () => {
    const report = await verify(
      kernel(),
      {
        refusal: () => 'It takes nothing.',
        onPrepare: () => {
          throw Object.assign(new Error('It takes nothing.'), { code: 'FFMA_UNSUPPORTED' });
        },
      },
      [{ ...small, expect: 'either' }],
    );
    expect(report.cases[0]).toMatchObject({ status: 'refused', refusal: 'It takes nothing.' });
  });

  test('nothing but refusals is no pass', async () => {
    expect((await verify(kernel(), { needs }, [{ ...small, expect: 'either' }])).outcome).toBe('refused');
  });

  test('refusing what the declaration takes fails', async () => {
    const silent = await verify(kernel(), {
      onPrepare: () => {
        throw new UnsupportedError('Not on a Monday.');
      },
    });
    expect(silent.counts.failed).toBe(3);
    expect(silent.cases[0]!.sentence).toMatch(
      /Its declaration takes this problem, yet it refused it: Not on a Monday/,
    );
    const announced = await verify(kernel(), { needs }, [small]);
    expect(announced.cases[0]).toMatchObject({
      status: 'failed',
      refusal: 'm must be a multiple of 4, but is 9.',
    });
  });

  test('running what it says it refuses, or its declaration excludes, fails', async () => {
    const said = await verify(kernel(), { refusal: () => 'I would rather not.' }, [small]);
    expect(said.cases[0]!.sentence).toMatch(/I would rather not\.\), yet prepared it/);
    const excluded = await verify(kernel(), {}, [{ ...small, expect: 'refusal' }]);
    expect(excluded.cases[0]!.sentence).toMatch(/excludes this problem, yet it took it/);
  });

  test('a refusal for the device’s sake is no fault', async () => {
    const gemm = new JsGemm(kernel(), { needs: { arch: 90 } });
    const report = await verifyGemm(new FakeDevice('sm_80'), gemm, { cases: three });
    expect(report).toMatchObject({ outcome: 'refused', counts: { refused: 3 } });
    expect(report.cases[0]!.refusal).toMatch(/needs sm_90/);
  });
});

describe('errors', () => {
  test('a kernel that throws fails its case, and the run goes on', async () => {
    let calls = 0;
    const report = await verify(kernel(), {
      onPrepare: () => {
        if (++calls === 2) throw new RangeError('no such tile');
      },
    });
    expect(report.cases.map((c) => c.status)).toEqual(['passed', 'failed', 'passed']);
    expect(report.cases[1]).toMatchObject({
      error: { name: 'RangeError', message: 'no such tile' },
      gates: [],
    });
    expect(report.outcome).toBe('failed');
  });

  test('a fault becomes the case’s error, with its place', async () => {
    const report = await verify(() => {
      throw new KernelFaultError('out-of-bounds', 'A store went past C.', {
        kernel: 'js',
        block: [1, 0, 0],
        ptxLine: 7,
      });
    });
    expect(report.counts.failed).toBe(3);
    expect(report.cases[0]!.error).toMatchObject({
      code: 'FFMA_KERNEL_FAULT',
      details: { kind: 'out-of-bounds', place: { kernel: 'js', block: [1, 0, 0], ptxLine: 7 } },
    });
    expect(report.ended).toBeUndefined();
  });

  test('a kernel whose declaration throws is reported', async () => {
    const gemm = new JsGemm(kernel());
    Object.defineProperty(gemm, 'needs', {
      get: () => {
        throw new RangeError('no such tile');
      },
    });
    const report = await verifyGemm(new FakeDevice(), gemm);
    expect(report).toMatchObject({ outcome: 'failed', cases: [], ended: { by: 'declaration' } });
    expect(report.sentence).toBe('js could not be asked what it needs: no such tile');
  });

  test('a lost device ends the run', async () => {
    const report = await verify(({ device }) => device.lose());
    expect(report).toMatchObject({
      outcome: 'failed',
      counts: { asked: 3, failed: 1, passed: 0 },
      ended: { by: 'device-lost', error: { code: 'FFMA_DEVICE_LOST' } },
    });
  });

  test('a kernel that does not load is reported', async () => {
    const report = await verify(kernel(), {
      onLoad: () => {
        throw new UnsupportedError('No artefact covers sm_90.');
      },
    });
    expect(report).toMatchObject({
      outcome: 'failed',
      cases: [],
      ended: { by: 'load', error: { code: 'FFMA_UNSUPPORTED' } },
    });
    expect(report.artefact).toBeUndefined();
    expect(report.sentence).toBe('js could not be loaded: No artefact covers sm_90.');
  });

  test('a case that is wrong in itself throws before anything runs', async () => {
    const gemm = new JsGemm(kernel());
    const cases: VerifyCase[] = [small, { shape: { m: 1, n: 1, k: 5000 }, data: 'canary' }];
    await expect(verifyGemm(new FakeDevice(), gemm, { cases })).rejects.toThrow(ArgumentError);
    await expect(
      verifyGemm(new FakeDevice(), gemm, { cases: [{ ...small, shape: { m: -1, n: 1, k: 1 } }] }),
    ).rejects.toThrow(/m must be an integer/);
  });

  test('an abort stops before the next case', async () => {
    const stop = new AbortController();
    const report = await verifyGemm(new FakeDevice(), new JsGemm(kernel()), {
      cases: three,
      signal: stop.signal,
      onCase: () => stop.abort(),
    });
    expect(report).toMatchObject({
      outcome: 'incomplete',
      counts: { passed: 1, asked: 3 },
      ended: { by: 'abort' },
    });
  });
});
