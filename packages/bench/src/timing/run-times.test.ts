import type { GemmSizes } from '@ffma/core';
import { expect, test } from 'vitest';
import { uuidDigest } from '../result/provenance.js';
import { resultSchema } from '../result/schema.js';
import { parseResult, stringifyResult } from '../result/store.js';
import { timedBench as bench, times, usual } from '../test-support/timed-bench.js';

const passedCases = { passed: 3, failed: 0, refused: 0 };

test('kernels are timed beside the one that says it is a reference', async () => {
  const { result, row } = await bench();
  expect(result.rows.map(({ kernel, role }) => [kernel, role])).toEqual([
    ['lib', 'reference'],
    ['k01', undefined],
    ['k02', undefined],
  ]);
  expect(row('k02').times).toMatchObject({ medianUs: 50, minUs: 50, maxUs: 50 });
  expect(row('k02').times?.tflops).toBeCloseTo((2 * 8 ** 3) / 50e6, 9);
  expect(row('k02').times?.ratio).toMatchObject({
    to: { id: 'lib_bm32', package: '@x/ladder' },
    wins: 3,
    rounds: 3,
    perRound: [1.2, 1.2, 1.2],
  });
  expect(row('k01').times?.ratio).toMatchObject({ median: 0.5, wins: 0 });
  expect(row('lib').times?.ratio).toBeUndefined();
});

test('a figure is the median of medians, and each ratio is of one round', async () => {
  // Four launches a round; the second round is slow for everybody, and one launch is far off.
  const noisy = (base: number) => (n: number) => (n === 1 ? 5000 : base * (n >= 4 && n < 8 ? 2 : 1));
  const { row } = await bench({ device: { times: { lib: noisy(60), k01: noisy(80), k02: noisy(40) } } });
  const own = row('k01').times!;
  expect(own.rounds.map(({ medianUs }) => medianUs)).toEqual([80, 160, 80]);
  expect(own.rounds[0]).toMatchObject({ round: 1, minUs: 80, maxUs: 5000 });
  expect(own.rounds[0]?.launchesUs).toEqual([80, 5000, 80, 80]);
  expect(own).toMatchObject({ medianUs: 80, minUs: 80, maxUs: 160 });
  expect(own.ratio?.perRound).toEqual([0.75, 0.75, 0.75]);
});

test('every row is checked twice before the timing and once after it', async () => {
  const { row, device } = await bench();
  expect(row('k01').correctness).toMatchObject({ status: 'passed', cases: passedCases, failures: [] });
  expect(row('k01').correctness.gates).toEqual([
    'exact',
    'k-order',
    'hard-bound',
    'written',
    'memory',
    'quality',
  ]);
  const firstTimed = device.log.indexOf('record');
  const count = (log: readonly string[]) => log.filter((entry) => entry === 'launch k01').length;
  expect(count(device.log.slice(0, firstTimed))).toBe(3); // two checks and the warm-up
  expect(
    device.log.slice(device.log.lastIndexOf('record')).filter((e) => e.startsWith('launch')),
  ).toHaveLength(3);
});

test('what has sizes compiled in is compiled for each size before any clock starts', async () => {
  const loaded: GemmSizes[] = [];
  const labels: string[] = [];
  const { result } = await bench({
    kernels: {
      lib: { role: 'reference' },
      k01: { sized: (sizes) => loaded.push(sizes) },
    },
    options: {
      sizes: [
        { m: 8, n: 8, k: 8 },
        { m: 8, n: 8, k: 7 },
      ],
      onStep: ({ label }) => labels.push(label),
    },
  });
  expect(loaded).toEqual([{ m: 8, n: 8, k: 8 }]);
  const at = (label: string) => labels.indexOf(`8³ ${label}`);
  expect(at('k01_bm32: compile')).toBeGreaterThan(-1);
  expect(at('k01_bm32: compile')).toBeLessThan(at('round 1 of 3'));
  const [first, second] = result.rows.filter(({ kernel }) => kernel === 'k01');
  expect(first).toMatchObject({ id: 'k01_bm32', specialised: true, times: { medianUs: 120 } });
  expect(second?.correctness).toMatchObject({
    status: 'refused',
    failures: [expect.stringContaining('multiple of 2')],
  });
});

test('a kernel that splits its sums is held to the bound of as many as it says', async () => {
  const sums = async (partialSums?: number) => {
    const parts = partialSums === undefined ? {} : { partialSums };
    const { row } = await bench({
      kernels: { ...usual, k01: { breaksAfter: 10, exactness: 'reordered', ...parts } },
    });
    return row('k01').correctness.failures[0];
  };
  expect(await sums()).toMatch(/γ\(11\)/);
  expect(await sums(5)).toMatch(/γ\(15\)/);
});

test('a size that does not compile fails its row, not the others', async () => {
  const broken = () => {
    throw new RangeError('no such size');
  };
  const { row } = await bench({ kernels: { ...usual, k01: { sized: broken } } });
  expect(row('k01').correctness).toMatchObject({ status: 'failed' });
  expect(row('k01').correctness.failures[0]).toMatch(/no such size/);
  expect(row('k02').times).toBeDefined();
});

test('a wrong kernel is not timed', async () => {
  const { row, device } = await bench({ kernels: { ...usual, k01: { error: 1 } } });
  expect(row('k01').correctness.status).toBe('failed');
  expect(row('k01').correctness.failures[0]).toMatch(/^8×8×8 canary: exact: 1 of 64 elements differs/);
  expect(row('k01').times).toBeUndefined();
  expect(row('k02').times).toBeDefined();
  expect(device.log.filter((entry) => entry === 'launch k01')).toHaveLength(1);
});

test('a kernel that is wrong after the timing loses its times', async () => {
  const { row } = await bench({ kernels: { ...usual, k01: { breaksAfter: 10 } } });
  expect(row('k01').correctness).toMatchObject({ status: 'failed', cases: { passed: 2, failed: 1 } });
  expect(row('k01').correctness.failures[0]).toMatch(/uniform, after the timing: /);
  expect(row('k01').times).toBeUndefined();
});

test('a reference that is wrong after the timing is no reference', async () => {
  const { row, result } = await bench({ kernels: { ...usual, lib: { role: 'reference', breaksAfter: 10 } } });
  expect(row('k02').times).toBeDefined();
  expect(row('k02').times?.ratio).toBeUndefined();
  expect(result.sessions?.[0]?.notes[0]).toMatch(/reference lib_bm32 could not be used: .*after the timing/);
});

test('a kernel that refuses the problem or cannot be loaded keeps its reason', async () => {
  const { row } = await bench({
    kernels: { ...usual, k01: { refuses: 'n must be a multiple of 32.' }, k02: { failsToLoad: 'not built' } },
  });
  expect(row('k01').correctness).toMatchObject({ status: 'refused', cases: { refused: 1 } });
  expect(row('k01').correctness.failures[0]).toMatch(/multiple of 32/);
  expect(row('k02').correctness).toMatchObject({ status: 'failed', cases: { failed: 1 } });
  expect(row('k02').correctness.failures[0]).toMatch(/not built/);
  expect(row('k02').artefact).toBeUndefined();
});

test('a figure over the physical peak is an error, not a record', async () => {
  // At 1 MHz the peak is 0.034 TFLOP/s: no 8×8×8 product takes less than 0.03 µs.
  const slowGpu = { maxSmClockMHz: 1, times: { ...times, k02: (n: number) => (n === 7 ? 0.02 : 50) } };
  const { row, result } = await bench({ device: slowGpu });
  expect(row('k02').times).toBeUndefined();
  expect(row('k02').unranked).toMatch(
    /is 0\.0512 TFLOP\/s, over the FP32 peak of 0\.0338 \(132 SMs × 128 lanes × 2 × 1 MHz\)/,
  );
  expect(row('k02').correctness.status).toBe('passed');
  expect(row('k01').times?.ratio?.median).toBe(0.5);
  expect(result.sessions?.[0]?.peak).toMatchObject({ clockMHz: 1 });
});

test('a reference over the peak is no reference', async () => {
  const { row, result } = await bench({ device: { maxSmClockMHz: 1, times: { ...times, lib: () => 0.02 } } });
  expect(row('lib').times).toBeUndefined();
  expect(row('k01').times?.ratio).toBeUndefined();
  expect(result.sessions?.[0]?.notes[0]).toMatch(/lib_bm32 could not be used: .*over the FP32 peak/);
});

test('where the peak is not known, that is said', async () => {
  const { result } = await bench({ device: { times, maxSmClockMHz: undefined } });
  expect(result.sessions?.[0]?.peak).toBeUndefined();
  expect(result.sessions?.[0]?.notes[0]).toMatch(
    /highest SM clock of the device is not known\. So no figure/,
  );
});

test('math modes are kept, and unequal ones are not set side by side', async () => {
  const { row } = await bench({
    kernels: { ...usual, k01: { mathMode: 'tf32' }, k02: { mathMode: 'fp32-pedantic' } },
  });
  expect(['lib', 'k01', 'k02'].map((name) => row(name).artefact?.mathMode)).toEqual([
    'fp32',
    'tf32',
    'fp32-pedantic',
  ]);
  expect(row('k01').times?.ratio).toBeUndefined();
  expect(row('k01').unranked).toMatch(/math mode tf32, but the reference lib_bm32 in fp32/);
  expect(row('k02').times?.ratio?.wins).toBe(3);
});

test('size-specialised kernels are marked', async () => {
  const { row } = await bench({ kernels: { ...usual, k02: { specialised: true } } });
  expect([row('k01').specialised, row('k02').specialised]).toEqual([undefined, true]);
});

test('clocks of each round are kept, those of throttled rounds too', async () => {
  const { result, row } = await bench({
    device: { times, reasons: (n) => (n >= 4 && n <= 6 ? 'software-thermal' : 'gpu-idle') },
    options: { reference: 'lib' },
  });
  const session = result.sessions![0]!;
  expect(session.rounds.map(({ round, attempt, used }) => [round, attempt, used])).toEqual([
    [1, 1, true],
    [2, 1, false],
    [2, 2, true],
    [3, 1, true],
  ]);
  expect(session.rounds[1]).toMatchObject({
    throttledBy: ['software-thermal'],
    clocks: { smMHz: [1980, 1980, 1980], powerW: [401.3, 401.3, 401.3], reasons: ['software-thermal'] },
  });
  expect(row('k01').times?.rounds.map(({ round }) => round)).toEqual([1, 2, 3]);
});

test('rounds that stay throttled are marked, and a note says how many', async () => {
  const { result } = await bench({
    device: { times, reasons: () => 'software-power-cap' },
    options: { protocol: { maxRepeats: 1 } },
  });
  expect(result.sessions?.[0]?.notes).toEqual([
    '3 of the rounds that count were throttled, in spite of being run again.',
  ]);
});

test('the result fits its schema, says how it was made, and survives being written and read', async () => {
  const { result } = await bench({ device: { times, noClocks: 'no NVML' } });
  expect(resultSchema.parse(result)).toEqual(result);
  const text = stringifyResult(result);
  expect(parseResult(text)).toEqual(result);
  expect(text).toContain('"launchesUs": [120, 120, 120, 120]');
  expect(result.protocol).toEqual({
    name: 'alternating-rounds',
    version: 3,
    parameters: {
      rounds: 3,
      launches: 4,
      l2: 'cold',
      launched: 'singly',
      maxRepeats: 3,
      warmUpMs: 0,
      flushBytes: 2 ** 28,
      confidence: 0.95,
      alpha: 1,
      beta: 0,
    },
  });
  expect(result.device.details).toMatchObject({
    gpu: uuidDigest('GPU-0123'),
    driver: '580.1',
    cuda: '13.0',
    maxSmClockMHz: 1980,
  });
  expect(result.interrupted).toBeUndefined();
  expect(result.sessions?.[0]?.order.map(({ id }) => id)).toEqual(['lib_bm32', 'k01_bm32', 'k02_bm32']);
});
