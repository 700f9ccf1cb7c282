import { createHash } from 'node:crypto';
import { type Device, type DeviceOptions, multiply, openDevice } from '@ffma/core';
import { parseSchedule, scheduleText, someSchedules } from '@ffma/emulator';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { everyStage, sixBlocks, tailCases } from './support/tail-cases.js';

let device: Device;
beforeAll(async () => {
  device = await sixBlocks();
});
afterAll(() => device?.[Symbol.asyncDispose]());

async function passes(on: Device, cases: readonly VerifyCase[]) {
  const report = await verifyGemm(on, everyStage, { cases, load: { compile: true } });
  expect(report.cases.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report.counts.passed).toBe(cases.length);
}

/** Tiles of C down and across, and what becomes of them with six blocks. */
const sizes = [
  { tiles: [1, 1], shares: 5, whole: 0, what: 'one tile, for as many blocks as it has stages' },
  { tiles: [7, 1], shares: 5, whole: 6, what: 'a tile for every block, and one for five' },
  { tiles: [2, 4], shares: 6, whole: 6, what: 'a tile for every block, and two for all' },
  { tiles: [1, 17], shares: 0, whole: 17, what: 'two tiles for every block but one, and a third for most' },
] as const;

describe('six blocks', () => {
  test.each(sizes)('$tiles: $what', async ({ tiles, shares, whole }) => {
    const [m, n, k] = [tiles[0] * 64 - 3, tiles[1] * 32, 4 * 32 + 7];
    const shape = { m, n, k, lda: k + 1 };
    using loaded = await everyStage.load(device, { compile: true });
    using a = await device.allocate(4 * m * (k + 1));
    using b = await device.allocate(4 * k * n);
    using c = await device.allocate(4 * m * n);
    using product = loaded.prepare(shape, { a, b, c });
    expect(product.plan.launches.at(-1)?.args.slice(9, 11)).toEqual([
      { type: 'i32', value: whole },
      { type: 'i32', value: shares },
    ]);
    await passes(device, [
      { shape: { ...shape, alpha: 2, beta: -3, ldc: n + 4 }, data: 'integers', expect: 'run' },
    ]);
  });

  test.each(someSchedules(4).slice(1).map(scheduleText))(
    'in whichever order blocks and warps run: %s',
    async (name) => {
      await using own = await sixBlocks({ schedule: parseSchedule(name) } as DeviceOptions);
      await passes(own, tailCases);
    },
  );

  test('have no races with one another', async () => {
    await using own = await sixBlocks({ checks: { racecheck: 'global' } } as DeviceOptions);
    await passes(own, tailCases.slice(0, 1));
  });
});

test('sums that round are within the bound', async () => {
  const shape = { m: 128, n: 128, k: 229, lda: 232, alpha: -0.7, beta: 0.3 };
  await passes(device, [{ shape, data: 'normal', expect: 'run' }]);
});

describe('bits', () => {
  const shape = { m: 128, n: 128, k: 200 };
  /** Values whose sums round, so that another order of additions gives other bits. */
  const values = (count: number, seed: number) => {
    let state = seed;
    return Float32Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    });
  };
  const [a, b] = [values(shape.m * shape.k, 1), values(shape.k * shape.n, 2)];
  const bits = async (on: Device) => {
    const c = await multiply(on, everyStage, a, b, { ...shape, compile: true });
    return createHash('sha256').update(new Uint8Array(c.buffer)).digest('hex');
  };

  test('are the same in every run, and however many blocks run at a time', async () => {
    const first = await bits(device);
    expect(await bits(device)).toBe(first);
    await using one = await sixBlocks({ workers: 1 });
    expect(await bits(one)).toBe(first);
  });

  test('are others where another number of blocks cuts elsewhere', async () => {
    await using large = await openDevice('emulator');
    expect(await bits(large)).not.toBe(await bits(device));
  });
});
