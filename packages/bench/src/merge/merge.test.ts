import { expect, test } from 'vitest';
import { parseSizes } from '../bench/sizes.js';
import type { AnyResult } from '../result/kinds.js';
import type { BenchResult } from '../result/schema.js';
import type { SweepResult } from '../sweep/schema.js';
import { modelDevice, sweepHere } from '../test-support/swept-kernel.js';
import { timedBench } from '../test-support/timed-bench.js';
import { mergeResults } from './merge.js';
import { mergeBenches } from './merge-benches.js';
import { mergeSweeps } from './merge-sweeps.js';

const named = <R>(...results: R[]) => results.map((result, i) => ({ from: `${'abc'[i]}.json`, result }));
const asJson = <R>(result: R) => JSON.parse(JSON.stringify(result)) as R;

const once = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined;
  return async () => {
    made ??= make();
    return asJson(await made);
  };
};
const shardOf = (index: number) => sweepHere(modelDevice(`${index}`), { shard: { index, count: 2 } });
const shards = once(async () => [await shardOf(1), await shardOf(2)] as [SweepResult, SweepResult]);
const whole = once(() => sweepHere(modelDevice('a')));

test('other sizes of a sweep are united', async () => {
  const [small, large] = [
    await whole(),
    asJson(await sweepHere(modelDevice('b'), { sizes: parseSizes('12x8x8') })),
  ];
  const merged = mergeSweeps(named(large, small));
  expect(merged).toEqual(mergeSweeps(named(small, large)));
  expect(merged.sizes.map(({ size, winner }) => [size.m, winner])).toEqual([
    [8, 'k50_bm16_bn32_deep'],
    [12, 'k50_bm16_bn32_deep'],
  ]);
  expect(merged.variants).toHaveLength(42);
});

test('a file given twice counts once', async () => {
  const [one, two] = await shards();
  expect(mergeSweeps(named(one, two, one))).toEqual(mergeSweeps(named(one, two)));
});

test.each<[RegExp, (result: SweepResult) => void]>([
  [
    /differ in the model of the device/,
    (result) => Object.assign(result.identity.device, { name: 'another GPU' }),
  ],
  [/differ in the kernel's source/, (result) => Object.assign(result.identity, { source: 'f'.repeat(64) })],
  [/differ in the protocol/, (result) => Object.assign(result.identity.protocol.parameters, { eta: 4 })],
  [/differ in the space/, (result) => Object.assign(result.identity.space, { BM: [4] })],
  [/differ in what the rules refuse/, (result) => Object.assign(result.space, { refused: 17 })],
])('what does not go together is refused: %s', async (message, change) => {
  const [one, two] = await shards();
  change(two);
  expect(() => mergeSweeps(named(one, two))).toThrow(message);
  expect(() => mergeSweeps(named(one, two))).toThrow(/\.json and .*\.json do not go together/);
});

test('one variant that compiles to two things is refused; one that was judged twice counts as wrong, and it is said', async () => {
  const one = await whole();
  const other = asJson(one);
  for (const record of other.records) {
    if (record.type === 'compiled' && record.id === 'k50_bm8_bn8_deep') record.sha256 = 'a'.repeat(64);
  }
  expect(() => mergeSweeps(named(one, other))).toThrow(/do not agree on how k50_bm8_bn8_deep compiles/);
  const worse = asJson(one);
  for (const record of worse.records) {
    if (record.type === 'checked' && record.id === 'k50_bm16_bn32_deep' && record.level === 'quick')
      Object.assign(record, { status: 'failed', failures: ['it was wrong there'] });
  }
  const merged = mergeSweeps(named(one, worse));
  expect(merged.notes).toContainEqual(
    expect.stringMatching(/k50_bm16_bn32_deep \(quick\) was judged failed and passed/),
  );
  expect(merged.sizes[0]?.ranking.map(({ id }) => id)).not.toContain('k50_bm16_bn32_deep');
  expect(merged).toEqual(mergeSweeps(named(worse, one)));
});

async function benches(): Promise<[BenchResult, BenchResult]> {
  const of = async (sizes: string) =>
    asJson((await timedBench({ options: { sizes: parseSizes(sizes) } })).result);
  return [await of('8'), await of('6')];
}

test('results of ffma bench of other sizes are united, in any order', async () => {
  const [eight, six] = await benches();
  const merged = mergeBenches(named(eight, six));
  expect(merged).toEqual(mergeBenches(named(six, eight)));
  expect(merged.rows.map(({ kernel, problem }) => `${kernel} ${problem.m}`)).toEqual([
    ...['lib 6', 'k01 6', 'k02 6'],
    ...['lib 8', 'k01 8', 'k02 8'],
  ]);
  expect(merged.sessions).toHaveLength(2);
  expect(mergeBenches(named(eight, eight)).rows).toHaveLength(3);
});

test('times of one size that were taken twice, and another protocol, are refused', async () => {
  const [eight, six] = await benches();
  const again = asJson(eight);
  Object.assign(again.sessions?.[0] ?? {}, { startedAt: '2020-01-01T00:00:00.000Z' });
  expect(() => mergeBenches(named(eight, again))).toThrow(/both have times of 8³, taken at different times/);
  Object.assign(six.protocol.parameters ?? {}, { launches: 99 });
  expect(() => mergeBenches(named(eight, six))).toThrow(/differ in how it was measured/);
  const wrong = asJson(eight);
  delete wrong.sessions;
  Object.assign(wrong.rows[1] ?? {}, { times: undefined });
  expect(() => mergeBenches(named(eight, wrong))).toThrow(
    /do not agree on the times of @x\/ladder\/k01_bm32 at 8³/,
  );
});

test('kinds are not mixed', async () => {
  const [eight] = await benches();
  const [one] = await shards();
  expect(() => mergeResults(named<AnyResult>(eight, one))).toThrow(
    /a\.json is a bench result and b\.json a sweep result/,
  );
  expect(() => mergeResults([])).toThrow(/nothing to merge/);
});
