import { expect, test } from 'vitest';
import { parseSizes } from '../bench/sizes.js';
import { resultSchema } from '../result/schema.js';
import { timedBench as bench, times, usual } from '../test-support/timed-bench.js';

const graphs = { times, graphs: true };

test('a batch is so many products within one pair of events, each poisoned before, and counted in FLOP', async () => {
  const { result, row, device } = await bench({ options: { sizes: parseSizes('b3x8') } });
  expect(resultSchema.parse(result)).toEqual(result);
  const timedTurn = [
    'fill',
    'fill',
    'fill',
    'flush 268435456',
    'record',
    ...Array(3).fill('launch k01'),
    'record',
  ];
  const log = device.log.join(',');
  expect(log).toContain([...timedTurn, ...timedTurn].join(','));
  const own = row('k01');
  expect(own.problem).toMatchObject({ m: 8, n: 8, k: 8, batch: 3 });
  expect(own.times?.medianUs).toBe(360);
  expect(own.times?.tflops).toBeCloseTo((3 * 2 * 8 ** 3) / 360e6, 12);
  expect(own.correctness.cases).toEqual({ passed: 3, failed: 0, refused: 0 });
  expect(result.sessions?.[0]?.problem).toEqual({ m: 8, n: 8, k: 8, batch: 3 });
});

test('every product of a batch is judged: one that is wrong is named', async () => {
  // Its third launch is that of the third product.
  const { row } = await bench({
    kernels: { ...usual, k01: { breaksAfter: 2 } },
    options: { sizes: parseSizes('b3x8') },
  });
  expect(row('k01').correctness).toMatchObject({ status: 'failed' });
  expect(row('k01').correctness.failures[0]).toMatch(/^8×8×8 canary, product 3 of 3: exact: 1 of 64/);
  expect(row('k01').times).toBeUndefined();
  expect(row('k02').times).toBeDefined();
});

test('a batch and the same size alone are two sizes of one result', async () => {
  const { result } = await bench({ options: { sizes: parseSizes('8,b2x8,b1x8') } });
  expect(result.sessions?.map(({ problem }) => problem)).toEqual([
    { m: 8, n: 8, k: 8 },
    { m: 8, n: 8, k: 8, batch: 2 },
  ]);
  const again = await bench({ options: { sizes: parseSizes('b2x8'), earlier: result } });
  expect(again.device.log).toEqual([]);
  expect(again.result.rows).toHaveLength(6);
});

test('alpha and beta are what is computed and judged, and C is what it was before each launch', async () => {
  const { result, row, device } = await bench({ options: { alpha: 0.5, beta: -2 } });
  expect(result.protocol.parameters).toMatchObject({ alpha: 0.5, beta: -2 });
  expect(row('k01').problem).toMatchObject({ alpha: 0.5, beta: -2 });
  expect(row('k01').correctness).toMatchObject({ status: 'passed', cases: { passed: 3, failed: 0 } });
  expect(device.log).not.toContain('fill');
  expect(device.log.join(',')).toContain('copy,flush 268435456,record,launch k01,record');
  const other = bench({ options: { alpha: 1, earlier: result } });
  await expect(other).rejects.toThrow('how times are taken changed since');
});

test('a scalar that float32 does not have is rounded to one that it has', async () => {
  const { result } = await bench({ options: { alpha: 0.1 } });
  expect(result.protocol.parameters?.alpha).toBe(Math.fround(0.1));
});

test('as graphs each row says so, and a library beside them is launched singly, with a note', async () => {
  const { result, row } = await bench({
    device: graphs,
    kernels: { ...usual, lib: { role: 'reference', refusesGraphs: true } },
    options: { protocol: { graph: true } },
  });
  expect(result.protocol.parameters).toMatchObject({ launched: 'graph' });
  expect(['lib', 'k01', 'k02'].map((name) => row(name).times?.launched)).toEqual([
    'singly',
    'graph',
    'graph',
  ]);
  expect(row('k02').times?.ratio?.wins).toBe(3);
  expect(result.sessions?.[0]?.notes[0]).toBe(
    'lib_bm32 was launched singly, beside graphs: a library launches its kernels itself.',
  );
});

test('launched singly, nothing is noted', async () => {
  const { result, row } = await bench();
  expect(row('k01').times?.launched).toBe('singly');
  expect(result.sessions?.[0]?.notes).toEqual([]);
});

test('a device without graphs refuses them before anything runs', async () => {
  const refused = bench({ options: { protocol: { graph: true } } });
  await expect(refused).rejects.toThrow(
    'Launches are asked for as CUDA graphs, but fake GPU has no graphs. Leave --graph out.',
  );
});

test('a session ends once every ratio is known well enough, and says by which rule', async () => {
  const until = (untilWidth: number, k01: (n: number) => number) =>
    bench({
      device: { times: { ...times, k01 } },
      options: { protocol: { untilWidth, rounds: 9, launches: 4 } },
    });
  const steady = await until(0.01, () => 120);
  expect(steady.result.sessions?.[0]).toMatchObject({ endedBy: 'interval' });
  expect(steady.row('k01').times?.rounds).toHaveLength(5);
  expect(steady.result.interrupted).toBeUndefined();
  const noisy = await until(0.01, (n) => 100 + (Math.floor(n / 4) % 4) * 10);
  expect(noisy.result.sessions?.[0]).toMatchObject({ endedBy: 'max-rounds' });
  expect(noisy.row('k01').times?.rounds).toHaveLength(9);
  expect((await bench()).result.sessions?.[0]).toMatchObject({ endedBy: 'rounds' });
});

test('who cannot be ranked is not waited for', async () => {
  const noisy = (n: number) => 100 + (Math.floor(n / 4) % 4) * 10;
  const { result } = await bench({
    device: { times: { ...times, k01: noisy } },
    kernels: { ...usual, k01: { mathMode: 'tf32' } },
    options: { protocol: { untilWidth: 0.01, rounds: 9, launches: 4 } },
  });
  expect(result.sessions?.[0]).toMatchObject({ endedBy: 'interval' });
});

test('rows keep noise, outliers and the interval of their ratio', async () => {
  const spiky = (n: number) => (n === 2 ? 900 : 120 + (n % 4));
  const { row } = await bench({ device: { times: { ...times, k01: spiky } } });
  const own = row('k01').times!;
  expect(own.rounds.map(({ outliers }) => outliers)).toEqual([[2], [], []]);
  expect(own.noise.launches).toBeCloseTo(1 / 121.5, 3);
  expect(own.noise.rounds).toBe(0);
  expect(own.ratio?.interval.low).toBeLessThanOrEqual(own.ratio!.median);
  expect(own.ratio?.interval).toEqual({ low: own.ratio?.min, high: own.ratio?.max });
});
