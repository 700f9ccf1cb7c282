import type { Device, Gemm, Plan } from '@ffma/core';
import { k14, kernels, streamkDeterministic } from '@ffma/streamk';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { smallDevice } from '../../../scripts/emulator/small-device.js';

// Six blocks: the conformance cases, for 264, are too small to have whole tiles beside those that are shared.
let device: Device;
beforeAll(async () => {
  device = await smallDevice(3);
});
afterAll(() => device?.[Symbol.asyncDispose]());

/** Tiles of C down and across, and what becomes of them with six blocks. */
const sizes = [
  { tiles: [2, 3], whole: 6, what: 'a tile for every block' },
  { tiles: [7, 1], whole: 6, what: 'a tile for every block, and one for all' },
  { tiles: [2, 4], whole: 6, what: 'a tile for every block, and a third of one' },
  { tiles: [1, 17], whole: 12, what: 'two tiles for every block, and nearly another' },
] as const;

const titled = sizes.map((size) => [`${size.tiles.join('×')} tiles: ${size.what}`, size] as const);

/** The plan that runs on this device. */
async function planned(gemm: Gemm, { m, n, k }: { m: number; n: number; k: number }): Promise<Plan> {
  using loaded = await gemm.load(device);
  using a = await device.allocate(4 * m * k);
  using b = await device.allocate(4 * k * n);
  using c = await device.allocate(4 * m * n);
  using product = loaded.prepare({ m, n, k }, { a, b, c });
  return product.plan;
}

const cases = (m: number, n: number, k: number): VerifyCase[] => [
  { shape: { m, n, k }, data: 'integers', expect: 'run' },
  { shape: { m, n, k, alpha: 2, beta: -3, ldc: n + 4 }, data: 'integers', expect: 'run' },
  { shape: { m, n, k, alpha: -0.7, beta: 0.3 }, data: 'normal', expect: 'run' },
  { shape: { m, n, k: 0, lda: 4, beta: 0.5 }, data: 'uniform', expect: 'run' },
  { shape: { m, n, k, alpha: 0 }, data: 'unread', expect: 'run' },
];

describe.each(kernels.map((kernel) => ({ id: kernel.id, kernel })))('$id', ({ kernel }) => {
  test.each(titled)('%s', async (_, { tiles, whole }) => {
    const { BM, BN, BK } = kernel.params as { BM: number; BN: number; BK: number };
    const [m, n, k] = [tiles[0] * BM, tiles[1] * BN, 5 * BK];
    const { launches } = await planned(kernel, { m, n, k });
    expect(launches.at(-1)).toMatchObject({ grid: [6, 1, 1] });
    expect(launches.at(-1)?.args[11]).toEqual({ type: 'i32', value: whole });

    const report = await verifyGemm(device, kernel, { cases: cases(m, n, k) });
    expect(report.cases.filter(({ status }) => status !== 'passed')).toEqual([]);
    expect(report.counts.passed).toBe(5);
  });
});

test.each([
  ['k14, every tile shared', k14.variant('128x128x8_s3_nohybrid')],
  ['k14, the main loop written out twice', k14.variant('128x128x8_s3_twice')],
  ['streamk-deterministic, every tile shared', streamkDeterministic.variant('128x128x8_s3_nohybrid')],
  ['streamk-deterministic, added apart', streamkDeterministic.variant('128x128x8_s3_apart')],
  [
    'streamk-deterministic, every tile shared and added apart',
    streamkDeterministic.with({ FIXUP_APART: true, HYBRID: false }),
  ],
])('%s: eight tiles, six blocks', async (_, variant) => {
  const report = await verifyGemm(device, variant, { cases: cases(256, 512, 40), load: { compile: true } });
  expect(report.cases.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(report.counts.passed).toBe(5);
});
