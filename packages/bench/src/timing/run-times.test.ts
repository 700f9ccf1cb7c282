import { expect, test } from 'vitest';
import type { RunBenchOptions } from '../bench/options.js';
import { runBench } from '../bench/run-bench.js';
import { parseSizes } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { type BenchResult, resultSchema } from '../result/schema.js';
import { parseResult, stringifyResult } from '../result/store.js';
import { discoveryOf, type FakeKernelOptions, fakeKernel, selected } from '../test-support/fake-kernel.js';
import { FakeTimingDevice, type FakeTimingOptions } from '../test-support/fake-timing-device.js';

interface Setting {
  readonly device?: FakeTimingOptions;
  readonly kernels?: Readonly<Record<string, FakeKernelOptions>>;
  readonly options?: Partial<RunBenchOptions>;
}

const usual = { lib: { role: 'reference' }, k01: {}, k02: {} } as const;
const times = { lib: () => 60, k01: () => 120, k02: () => 50 };

async function bench({ device: like = { times }, kernels = usual, options = {} }: Setting = {}) {
  const device = new FakeTimingDevice(like);
  const found = Object.entries(kernels).map(([name, parts]) => fakeKernel(name, parts));
  const result = await runBench(device, found.map(selected), {
    sizes: parseSizes('8'),
    discovery: discoveryOf(...found),
    ...options,
    protocol: { rounds: 3, launches: 4, warmUpMs: 0, ...options.protocol },
  });
  return { device, result, row: (name: string) => result.rows.find(({ kernel }) => kernel === name)! };
}

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

test('any kernel can be the reference, or none', async () => {
  const other = await bench({ options: { reference: 'k01' } });
  expect(other.result.rows.map(({ kernel, role }) => [kernel, role])).toEqual([
    ['k01', 'reference'],
    ['k02', undefined],
  ]);
  expect(other.row('k02').times?.ratio?.median).toBe(2.4);
  const none = await bench({ options: { reference: 'none' } });
  expect(none.row('k02').times?.ratio).toBeUndefined();
  expect(none.result.sessions?.[0]?.notes[0]).toMatch(/no reference/);
  await expect(bench({ options: { reference: 'k09' } })).rejects.toThrow(/no kernel 'k09'/);
  await expect(bench({ options: { reference: 'all' } })).rejects.toThrow(
    /'all' is 3 kernels; a reference is one/,
  );
});

test('a reference that nobody asked for is measured, and the row says so', async () => {
  const found = Object.entries(usual).map(([name, parts]) => fakeKernel(name, parts));
  const only: SelectedKernel[] = [selected(found[1]!)];
  const result = await runBench(new FakeTimingDevice({ times }), only, {
    sizes: parseSizes('8'),
    discovery: discoveryOf(...found),
    protocol: { rounds: 1, launches: 1, warmUpMs: 0 },
  });
  expect(result.rows.map(({ kernel, asked }) => [kernel, asked])).toEqual([
    ['lib', false],
    ['k01', true],
  ]);
});

test('a reference that cannot be loaded leaves times without ratios, and says why', async () => {
  const { row, result } = await bench({
    kernels: { ...usual, lib: { role: 'reference', failsToLoad: 'libvendor.so was not found.' } },
  });
  expect(row('k01').times?.medianUs).toBe(120);
  expect(row('k01').times?.ratio).toBeUndefined();
  expect(result.sessions?.[0]?.notes[0]).toMatch(/could not be used: .*libvendor\.so was not found/);
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
    version: 1,
    parameters: { rounds: 3, launches: 4, l2: 'cold', maxRepeats: 3, warmUpMs: 0, flushBytes: 2 ** 28 },
  });
  expect(result.device.details).toMatchObject({
    uuid: 'GPU-0123',
    driver: '580.1',
    cuda: '13.0',
    maxSmClockMHz: 1980,
  });
  expect(result.interrupted).toBeUndefined();
  expect(result.sessions?.[0]?.order.map(({ id }) => id)).toEqual(['lib_bm32', 'k01_bm32', 'k02_bm32']);
});

test('after each size everything so far is handed out, marked until it is whole', async () => {
  const written: BenchResult[] = [];
  const { result } = await bench({
    options: { sizes: parseSizes('8,4x12x20'), onSize: (soFar) => written.push(soFar) },
  });
  expect(written.map(({ rows, interrupted }) => [rows.length, interrupted])).toEqual([
    [3, true],
    [6, undefined],
  ]);
  expect(written.every((part) => resultSchema.safeParse(part).success)).toBe(true);
  expect(result.rows).toHaveLength(6);
});

/** Aborts when the progress says so. */
function until(label: RegExp) {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onStep: (step: { label: string }) => {
      if (label.test(step.label)) controller.abort();
    },
  };
}

test('interrupted in a round, that round is finished and its size is kept with what it has', async () => {
  const { result, row } = await bench({ options: { sizes: parseSizes('8,16'), ...until(/8³ round 2/) } });
  expect(result.interrupted).toBe(true);
  expect(result.sessions).toHaveLength(1);
  expect(result.sessions?.[0]).toMatchObject({ interrupted: true, rounds: [{ round: 1 }] });
  expect(row('k02').times?.ratio).toMatchObject({ rounds: 1, wins: 1 });
  expect(row('k02').correctness.cases).toEqual(passedCases);
  expect(resultSchema.safeParse(result).success).toBe(true);
});

test('interrupted before a round is complete, a size leaves nothing', async () => {
  const { result } = await bench({ options: { sizes: parseSizes('8,16'), ...until(/16³ k01.*uniform/) } });
  expect(result.interrupted).toBe(true);
  expect(result.rows.map(({ problem: { m } }) => m)).toEqual([8, 8, 8]);
});

/** A result of two sizes of which the second is not there. */
async function half() {
  const { result } = await bench({ options: { sizes: parseSizes('8,16'), ...until(/16³ round 2/) } });
  return parseResult(stringifyResult(result));
}

test('an unfinished result is gone on from: whole sizes are kept as they are, the others measured', async () => {
  const earlier = await half();
  expect(earlier.sessions).toHaveLength(2);
  const { result, device } = await bench({ options: { sizes: parseSizes('8,16'), earlier } });
  expect(result.interrupted).toBeUndefined();
  expect(result.rows.slice(0, 3)).toEqual(earlier.rows.slice(0, 3));
  expect(result.sessions?.[0]).toEqual(earlier.sessions?.[0]);
  expect(result.sessions?.[1]?.rounds).toHaveLength(3);
  expect(device.log.filter((entry) => entry.startsWith('flush'))).toHaveLength(1 + 3 * 3 * 4);
});

test('a size is measured anew where its kernels, or what was asked, are not the same', async () => {
  const earlier = await half();
  const more = { ...usual, k03: {} };
  const { result } = await bench({ kernels: more, options: { earlier } });
  expect(result.rows.map(({ kernel }) => kernel)).toEqual(['lib', 'k01', 'k02', 'k03']);
  const other = await bench({ options: { earlier, reference: 'k01' } });
  expect(other.row('k01').role).toBe('reference');
});

test('a result of another device or protocol is not gone on from', async () => {
  const earlier = await half();
  await expect(bench({ options: { earlier, protocol: { rounds: 4 } } })).rejects.toThrow(
    /cannot be resumed: how times are taken changed/,
  );
  await expect(bench({ device: { times, maxSmClockMHz: 1755 }, options: { earlier } })).rejects.toThrow(
    /the device changed since/,
  );
});
