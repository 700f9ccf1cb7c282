import { expect, test } from 'vitest';
import { parseSizes } from '../bench/sizes.js';
import { type BenchResult, resultSchema } from '../result/schema.js';
import { parseResult, stringifyResult } from '../result/store.js';
import { timedBench as bench, times, until, usual } from '../test-support/timed-bench.js';

const passedCases = { passed: 3, failed: 0, refused: 0 };

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
  expect(device.log.filter((entry) => entry.startsWith('flush'))).toHaveLength(1 + 3 * 3 * (1 + 4));
});

test('a size is measured anew where its kernels, or what was asked, are not the same', async () => {
  const earlier = await half();
  const more = { ...usual, k03: {} };
  const { result } = await bench({ kernels: more, options: { earlier } });
  expect(result.rows.slice(0, 4).map(({ kernel }) => kernel)).toEqual(['lib', 'k01', 'k02', 'k03']);
  expect(result.rows.slice(4)).toEqual(earlier.rows.slice(3));
  const other = await bench({ options: { earlier, reference: 'k01' } });
  expect(other.row('k01').role).toBe('reference');
});

/** A result of two sizes, all of it there. */
async function full() {
  const { result } = await bench({ options: { sizes: parseSizes('8,16') } });
  return parseResult(stringifyResult(result));
}

test('what is not asked for now stays: other sizes, and other kernels of a size', async () => {
  const earlier = await full();
  const written: BenchResult[] = [];
  const onSize = (soFar: BenchResult) => written.push(soFar);
  const { lib, k01 } = usual;
  const fewer = await bench({ kernels: { lib, k01 }, options: { earlier, onSize } });
  expect(fewer.device.log).toEqual([]);
  const added = await bench({ options: { sizes: parseSizes('4,8'), earlier, onSize } });
  expect(added.result.rows.slice(0, 6)).toEqual(earlier.rows);
  expect(added.result.rows.slice(6).map(({ problem: { m } }) => m)).toEqual([4, 4, 4]);
  expect(added.result.sessions?.map(({ problem: { m } }) => m)).toEqual([8, 16, 4]);
  for (const result of [fewer.result, ...written]) {
    expect(result.rows.slice(0, 6)).toEqual(earlier.rows);
    expect(result.sessions?.slice(0, 2)).toEqual(earlier.sessions);
  }
  expect([fewer.result.interrupted, added.result.interrupted]).toEqual([undefined, undefined]);
});

test('a size keeps what it had until it is measured anew', async () => {
  const earlier = await half();
  const { result } = await bench({
    options: { sizes: parseSizes('4,16'), earlier, ...until(/4³ k01.*uniform/) },
  });
  expect(result.interrupted).toBe(true);
  expect(result.rows).toEqual(earlier.rows);
});

test('a size that has to be measured anew is refused where kernels would be lost, before anything runs', async () => {
  const earlier = await full();
  const { lib, k01 } = usual;
  const run = (kernels: Record<string, object>, from: BenchResult) => {
    const device = { times: { ...times, k01: () => expect.unreachable('It was measured.') } };
    return bench({ kernels, device, options: { earlier: from } });
  };
  await expect(run({ lib, k01, k03: {} }, earlier)).rejects.toThrow(
    /has k02_bm32 at 8³, which would be lost: .* Name those kernels too, or write to another file/,
  );
  const { result: part } = await bench({ options: until(/8³ round 2/) });
  await expect(run({ lib, k01 }, part)).rejects.toThrow(/has k02_bm32 at 8³, which would be lost/);
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
