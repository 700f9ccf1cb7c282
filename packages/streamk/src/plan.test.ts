import { type DeviceLimits, type GemmShape, gemmProblem, occupancyOf, type Variant } from '@ffma/core';
import { profiles } from '@ffma/emulator';
import { describe, expect, it } from 'vitest';
import { k14, kernels, streamkDeterministic } from './index.js';

const { arch } = profiles.h200;
const h200: DeviceLimits = profiles.h200.limits;
const main = { registers: 234, sharedBytes: 0, spillBytes: 0, estimated: false };
const resources = { main };

/** Devices that hold 264 blocks of k14, one, three, a few with little shared memory, or few of few registers. */
const devices: readonly (readonly [string, DeviceLimits])[] = [
  ['132 SMs', h200],
  ['one SM', { ...h200, smCount: 1 }],
  ['three SMs', { ...h200, smCount: 3 }],
  ['little shared memory', { ...h200, smCount: 5, sharedBytesPerSm: 40 * 1024 }],
  ['half of the registers', { ...h200, smCount: 7, registersPerSm: 32768 }],
];

/** Sizes in tiles of C down and across, and chunks of k. */
const sizes: readonly (readonly [down: number, across: number, chunks: number])[] = [
  [1, 1, 1],
  [1, 1, 40],
  [8, 8, 128],
  [12, 22, 9],
  [16, 17, 3],
  [33, 8, 16],
  [40, 1, 7],
];

const variants = kernels.flatMap((kernel) => [...kernel.variants.values()]);

/** The problem of so many tiles and chunks. */
function problemOf({ params }: Variant, [down, across, chunks]: (typeof sizes)[number], rest = {}) {
  const { BM, BN, BK } = params as { BM: number; BN: number; BK: number };
  return gemmProblem({ m: down * BM, n: across * BN, k: chunks * BK, ...rest });
}

/** A plan, of the variant that has the sizes compiled in where one is open. */
function planOf(variant: Variant, problem: ReturnType<typeof gemmProblem>, limits: DeviceLimits = h200) {
  const plan = variant.forShape(problem).plan(problem, { arch, limits }, resources);
  const last = plan.launches.find(({ entry }) => ['main', 'strided'].includes(entry)) ?? plan.launches.at(-1);
  if (last === undefined) throw new Error('There is no launch.');
  const [whole] = last.args.slice(11, 12);
  return {
    ...plan,
    main: last,
    blocks: last.grid[0],
    whole: whole?.type === 'i32' ? whole.value : Number.NaN,
    entries: plan.launches.map(({ entry }) => entry),
  };
}

/** Most parts of a tile where a line of `tiles` of `chunks` each is cut evenly for so many blocks. */
function mostParts(tiles: number, chunks: number, blocks: number): number {
  const cuts = Array.from({ length: blocks + 1 }, (_, block) =>
    Math.floor((tiles * chunks * block) / blocks),
  );
  const parts = Array.from({ length: tiles }, (_, tile) => {
    const [first, end] = [tile * chunks, (tile + 1) * chunks];
    return new Set(cuts.filter((cut) => cut > first && cut < end)).size + 1;
  });
  return Math.max(1, ...parts);
}

/** Every device with every size. */
const everywhere = devices.flatMap(([device, limits]) =>
  sizes.map((size) => ({ where: `${size.join(' × ')} on ${device}`, limits, size })),
);

describe.each(variants.map((variant) => ({ id: variant.id, variant })))('$id', ({ variant }) => {
  const { threads, dynamicSharedBytes: sharedBytes = 0 } = variant.derived;
  const block = { threads, registersPerThread: main.registers, sharedBytes };
  /** Without the devices that hold no block of it, which it refuses. */
  const fitting = everywhere.filter(({ limits }) => occupancyOf(block, limits).blocksPerSm > 0);

  it('never launches more blocks than fit, nor than there are chunks', () => {
    for (const { where, limits, size } of fitting) {
      const { blocks, main: launch } = planOf(variant, problemOf(variant, size), limits);
      const { blocksPerSm } = occupancyOf(block, limits);
      expect(blocks, where).toBeGreaterThanOrEqual(1);
      expect(blocks, where).toBeLessThanOrEqual(blocksPerSm * limits.smCount);
      expect(blocks, where).toBeLessThanOrEqual(size[0] * size[1] * size[2]);
      expect([launch.block, launch.sharedBytes], where).toEqual([[threads, 1, 1], sharedBytes]);
    }
  });

  it('gives every block as many whole tiles, and shares what is left', () => {
    for (const { where, limits, size } of fitting) {
      const { blocks, whole } = planOf(variant, problemOf(variant, size), limits);
      const left = size[0] * size[1] - whole;
      expect(whole % blocks, where).toBe(0);
      expect(left, where).toBeGreaterThanOrEqual(0);
      if (variant.params.HYBRID) expect(left, where).toBeLessThan(blocks);
      else expect(whole, where).toBe(0);
    }
  });

  it('bounds the parts of a tile, as cuts of the line make them, from above and not by much', () => {
    for (const { where, limits, size } of fitting) {
      const problem = problemOf(variant, size);
      const { blocks, whole } = planOf(variant, problem, limits);
      const most = mostParts(size[0] * size[1] - whole, size[2], blocks);
      const bound = variant.forShape(problem).partialSums(problem, { arch, limits }, resources);
      expect(bound, where).toBeGreaterThanOrEqual(most);
      expect(bound, where).toBeLessThanOrEqual(most + 2);
    }
  });
});

describe.each(kernels.map((kernel) => ({ id: kernel.id, kernel })))('$id', ({ kernel }) => {
  const entry = kernel === k14 ? 'prepare' : 'clear';
  const plan = (shape: Partial<GemmShape>, size: (typeof sizes)[number] = [8, 8, 128], limits = h200) =>
    planOf(kernel, problemOf(kernel, size, shape), limits);

  it('has two launches where tiles are shared, and one where all are whole', () => {
    expect(plan({}).entries).toEqual([entry, 'main']);
    expect(plan({}, [12, 22, 9]).entries).toEqual(['main']);
    expect(plan({}, [12, 22, 9]).whole).toBe(264);
  });

  it('computes a tile for every block, then shares the rest', () => {
    expect(plan({}, [33, 9, 9])).toMatchObject({ blocks: 264, whole: 264, entries: [entry, 'main'] });
  });

  it('does what is left of C without products', () => {
    for (const shape of [{ k: 0 }, { k: 0, beta: 0.5 }, { alpha: 0, beta: 2 }]) {
      for (const variant of kernel.variants.values()) {
        if (variant.open) continue;
        const [down, across] = [17, 16];
        const only = planOf(variant, problemOf(variant, [down, across, 4], shape));
        expect(only.entries).toEqual([kernel === k14 ? 'prepare' : 'main']);
        const { BM, BN } = variant.params as { BM: number; BN: number };
        if (kernel === k14) expect(only.blocks).toBe((down * across * BM * BN) / 1024);
        else expect(only.whole).toBe(down * across);
      }
    }
  });

  it('launches nothing where C has no elements', () => {
    const empty = gemmProblem({ m: 0, n: 128, k: 8 });
    expect(kernel.plan(empty, { arch, limits: h200 }, resources).launches).toEqual([]);
  });

  it('is refused where no block fits, before anything is launched, with the limits that are in the way', () => {
    const registers = { ...h200, registersPerSm: 1024 };
    expect(() => plan({}, [2, 2, 4], registers)).toThrow(
      /No block of .* fits on a multiprocessor .*: it needs 234 registers for each of 128 threads, of 1024 in all\./,
    );
    const shared = { ...h200, sharedBytesPerSm: 8192, sharedBytesPerBlockOptin: 7168 };
    expect(() => plan({}, [2, 2, 4], shared)).toThrow(/it needs \d+ bytes of shared memory, of 7168\./);
    const problem = problemOf(kernel, [2, 2, 4]);
    const sums = () => kernel.partialSums(problem, { arch, limits: registers }, resources);
    expect(sums).toThrow(expect.objectContaining({ code: 'FFMA_UNSUPPORTED' }));
  });
});

describe(k14.id, () => {
  it('prepares the tiles that are shared, four columns a thread', () => {
    const { launches } = planOf(k14, problemOf(k14, [33, 9, 9], { beta: 0.5 }));
    expect(launches[0]).toMatchObject({ grid: [(297 - 264) * 16, 1, 1], block: [256, 1, 1] });
    expect(launches[0]?.args.slice(-2)).toEqual([
      { type: 'f32', value: 0.5 },
      { type: 'i32', value: 264 },
    ]);
  });

  it('keeps to the blocks that a variant wants on a multiprocessor, also where more would fit', () => {
    const one = planOf(k14.variant('128x128x8_s3_one_block'), problemOf(k14, [33, 9, 9]));
    expect(one.blocks).toBe(132);
  });

  it('shares every tile without HYBRID', () => {
    const shared = planOf(k14.variant('128x128x8_s3_nohybrid'), problemOf(k14, [33, 9, 9]));
    expect([shared.whole, shared.launches[0]?.grid[0]]).toEqual([0, 297 * 16]);
  });

  it('has strides compiled in only where the matrices are packed', () => {
    const f = k14.variant('f_128x128x8_s3');
    expect(planOf(f, problemOf(f, [8, 8, 128])).main.entry).toBe('main');
    expect(planOf(f, problemOf(f, [8, 8, 128], { ldb: 8 * 128 + 4 })).main.entry).toBe('strided');
  });
});

describe(streamkDeterministic.id, () => {
  const scratch = (size: (typeof sizes)[number]) =>
    planOf(streamkDeterministic, problemOf(streamkDeterministic, size)).scratch;

  it('has a slot for a tile and a flag for each block', () => {
    expect(scratch([8, 8, 128])).toEqual([
      { name: 'slots', byteLength: 264 * 128 * 128 * 4 },
      { name: 'flags', byteLength: 264 * 4 },
    ]);
  });

  it('has no slots to speak of where nothing is shared', () => {
    expect(scratch([12, 22, 9])?.[0]).toEqual({ name: 'slots', byteLength: 128 * 128 * 4 });
  });

  it('adds parts in a launch of its own, from two slots a block, where it is asked to; then there are no flags', () => {
    const apart = streamkDeterministic.variant('128x128x8_s3_apart');
    const shared = planOf(apart, problemOf(apart, [33, 9, 9], { alpha: 2, beta: 0.5 }));
    expect(shared.entries).toEqual(['main', 'fixup']);
    expect(shared.scratch).toEqual([{ name: 'slots', byteLength: 2 * 264 * 128 * 128 * 4 }]);
    expect(shared.launches[1]).toMatchObject({ grid: [(297 - 264) * 8, 1, 1], block: [128, 1, 1] });
    expect(shared.launches[1]?.args.slice(7, 9)).toEqual([
      { type: 'i32', value: 264 },
      { type: 'i32', value: 264 },
    ]);
    const all = planOf(apart, problemOf(apart, [12, 22, 9]));
    expect([all.entries, all.scratch]).toEqual([['main'], [{ name: 'slots', byteLength: 128 * 128 * 4 }]]);
  });

  it('clears every flag', () => {
    const { launches } = planOf(streamkDeterministic, problemOf(streamkDeterministic, [8, 8, 128]));
    const [clear] = launches;
    expect((clear?.grid[0] ?? 0) * (clear?.block[0] ?? 0)).toBeGreaterThanOrEqual(264);
    expect(clear?.args).toEqual([
      { type: 'scratch', scratch: 'flags' },
      { type: 'i32', value: 264 },
    ]);
  });
});
