import { type DeviceLimits, gemmProblem, occupancyOf } from '@ffma/core';
import { profiles } from '@ffma/emulator';
import { describe, expect, it } from 'vitest';
import { type TailParams, tailOf } from '../kernels/parts/tail.js';
import { h03 } from './index.js';

const { arch, limits: h200 } = profiles.h200;
const resources = { main: { registers: 255, sharedBytes: 0, spillBytes: 0, estimated: false } };

const devices: readonly (readonly [string, DeviceLimits])[] = [
  ['132 SMs', h200],
  ['one SM', { ...h200, smCount: 1 }],
  ['three SMs', { ...h200, smCount: 3 }],
];

/** Sizes in tiles of C down and across, and stages of k. */
const sizes: readonly (readonly [down: number, across: number, stages: number])[] = [
  [1, 1, 1],
  [1, 1, 400],
  [4, 8, 32],
  [11, 12, 16],
  [16, 32, 128],
  [19, 7, 64],
  [32, 64, 256],
  [133, 1, 128],
];

/** A problem of so many tiles and stages, the last of each not full. */
const problemOf = (p: TailParams, [down, across, stages]: (typeof sizes)[number]) =>
  gemmProblem({ m: down * p.BM - 1, n: across * p.BN - 1, k: stages * p.STEPS - 1 });

const everywhere = devices.flatMap(([device, limits]) =>
  sizes.map((size) => ({ where: `${size.join(' × ')} on ${device}`, limits, size })),
);

describe.each([...h03.variants.values()].map((variant) => ({ id: variant.id, variant })))(
  '$id',
  ({ variant }) => {
    const p = variant.params as unknown as TailParams;
    const { threads, dynamicSharedBytes: sharedBytes = 0 } = variant.derived;
    const dealt = everywhere.map((one) => {
      const most = occupancyOf({ threads, registersPerThread: 255, sharedBytes }, one.limits).blocksPerSm;
      const [down, across, stages] = one.size;
      const tail = tailOf(problemOf(p, one.size), p, { arch, limits: one.limits }, resources);
      const left = down * across - tail.whole;
      return { ...one, ...tail, most: most * one.limits.smCount, stages, left, line: left * stages };
    });

    it('never has more blocks than are resident, nor shares than blocks', () => {
      for (const { where, blocks, shares, most } of dealt) {
        expect(blocks, where).toBeGreaterThanOrEqual(1);
        expect(blocks, where).toBeLessThanOrEqual(most);
        expect(shares, where).toBeLessThanOrEqual(blocks);
      }
    });

    it('shares all tiles behind full waves or none, in shares of at least SHARE_STAGES and less than a tile', () => {
      for (const { where, blocks, shares, whole, left, line, stages } of dealt) {
        expect(shares > 0, where).toBe(left > 0);
        if (shares === 0) continue;
        expect(whole % blocks, where).toBe(0);
        expect(Math.floor(line / shares), where).toBeGreaterThanOrEqual(p.SHARE_STAGES);
        expect(Math.ceil(line / shares), where).toBeLessThanOrEqual(stages - p.SHARE_STAGES);
      }
    });

    it('bounds the parts of a tile from above, and not by much', () => {
      for (const { where, parts, shares, left, line, stages } of dealt) {
        const cuts = Array.from({ length: shares + 1 }, (_, share) => Math.floor((line * share) / shares));
        const most = Array.from(
          { length: left },
          (_, tile) => cuts.filter((cut) => cut > tile * stages && cut < (tile + 1) * stages).length + 1,
        );
        expect(parts, where).toBeGreaterThanOrEqual(Math.max(1, ...most));
        expect(parts, where).toBeLessThanOrEqual(Math.max(1, ...most) + 2);
      }
    });
  },
);

describe('h03 on 132 multiprocessors', () => {
  const plan = (variant: string, n: number) => {
    const problem = gemmProblem({ m: n, n, k: n });
    return h03.variant(variant).plan(problem, { arch, limits: h200 }, resources);
  };
  const dealt = (n: number, p = h03.params) =>
    tailOf(gemmProblem({ m: n, n, k: n }), p, { arch, limits: h200 }, resources);

  it('computes three tiles a block at 4096, and 113 stages instead of 128 of the 116 that are left', () => {
    expect(dealt(4096)).toEqual({ blocks: 132, whole: 396, shares: 132, parts: 3 });
  });

  it('cuts 32 tiles into four each at 1024', () => {
    expect(dealt(1024)).toMatchObject({ blocks: 128, whole: 0, shares: 128 });
  });

  it('leaves a last wave as it is where sharing saves little', () => {
    expect(dealt(2048)).toEqual({ blocks: 128, whole: 128, shares: 0, parts: 1 });
  });

  it('takes the flags down first where there are any, and has a slot and a flag for each share', () => {
    const shared = plan('default', 4096);
    expect(shared.launches.map(({ entry }) => entry)).toEqual(['clear', 'main']);
    expect(shared.scratch).toEqual([
      { name: 'slots', byteLength: 132 * 256 * 128 * 4 },
      { name: 'flags', byteLength: 132 * 4 },
    ]);
    expect(shared.launches[1]).toMatchObject({ grid: [132, 1, 1], block: [256, 1, 1] });
    expect(shared.launches[1]?.args.slice(9, 11)).toEqual([
      { type: 'i32', value: 396 },
      { type: 'i32', value: 132 },
    ]);
    const whole = plan('256x128_whole', 4096);
    expect(whole.launches.map(({ entry }) => entry)).toEqual(['main']);
    expect(whole.launches[0]).toMatchObject({ grid: [132, 1, 1] });
  });

  it('is refused where no block fits', () => {
    const limits = { ...h200, sharedBytesPerSm: 65_536, sharedBytesPerBlockOptin: 65_536 };
    const problem = gemmProblem({ m: 64, n: 64, k: 64 });
    expect(() => h03.plan(problem, { arch, limits }, resources)).toThrow(/bytes of shared memory, of/);
  });
});
