import { describe, expect, test } from 'vitest';
import { type BlockTraffic, TrafficRecorder, WAY } from './block-traffic.js';
import { modelL2 } from './l2-model.js';

type Step = readonly [way: number, ...sectors: number[]];

/** A block of one warp that makes these requests. */
function traffic(block: number, steps: readonly Step[], l1Bytes = 4096): BlockTraffic {
  const recorder = new TrafficRecorder(block, l1Bytes);
  for (const [way, ...sectors] of steps) recorder.add(0, way, Uint32Array.from(sectors), sectors.length);
  return recorder.end();
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
const large = { bytes: 2 ** 20, ways: 16, residentBlocks: 4 };

describe('what a block asks of L2', () => {
  test('neighbouring sectors are runs of at most 16, writes apart from reads', () => {
    const { words } = traffic(0, [
      [WAY.direct, ...range(8, 20)],
      [WAY.store, ...range(28, 4)],
    ]);
    expect([...words]).toEqual([
      ((15 << 27) | 8) >>> 0,
      ((3 << 27) | 24) >>> 0,
      ((1 << 31) | (3 << 27) | 28) >>> 0,
    ]);
  });

  test('L1 serves what a load has brought, but not what a direct load, a store or an atomic asks for', () => {
    const again = (way: number) =>
      modelL2(
        [
          traffic(0, [
            [way, 5],
            [way, 5],
            [way, 5],
          ]),
        ],
        1,
        large,
      );
    expect(again(WAY.cached)).toMatchObject({ readSectors: 1, writtenSectors: 0 });
    expect(again(WAY.direct)).toMatchObject({ readSectors: 3, readHits: 2 });
    expect(again(WAY.store)).toMatchObject({ readSectors: 0, writtenSectors: 3 });
    expect(again(WAY.atomic)).toMatchObject({ readSectors: 3, readHits: 2, writtenSectors: 3 });
  });

  test('warps take turns between barriers, however the emulator ran them', () => {
    const recorder = new TrafficRecorder(0, 4096);
    const request = (warp: number, sector: number) =>
      recorder.add(warp, WAY.direct, Uint32Array.of(sector), 1);
    for (const sector of [0, 10, 20]) request(0, sector);
    for (const sector of [100, 110]) request(1, sector);
    recorder.meet();
    request(1, 120);
    request(0, 30);
    expect([...recorder.end().words]).toEqual([0, 100, 10, 110, 20, 30, 120]);
  });
});

describe('the model', () => {
  test('what two blocks read comes from memory once; a third of another place misses', () => {
    const blocks = [0, 0, 1000].map((from, block) => traffic(block, [[WAY.direct, ...range(from, 64)]]));
    expect(modelL2(blocks, 3, large)).toMatchObject({
      blocks: 3,
      modelledBlocks: 3,
      readSectors: 192,
      readHits: 64,
      dramReadBytes: 128 * 32,
      dramWrittenBytes: 0,
      dirtyBytes: 0,
    });
  });

  test('blocks that are at work together share what none would find later', () => {
    // Each pair reads the same 64 KiB in the same order; the cache holds 8 KiB.
    const pass = [[WAY.direct, ...range(0, 2048)] as Step];
    const blocks = [0, 1, 2, 3].map((block) => traffic(block, pass));
    const hits = (residentBlocks: number) =>
      modelL2(blocks, 4, { bytes: 8192, ways: 16, residentBlocks }).readHits;
    expect([1, 2, 4].map(hits)).toEqual([0, 2 * 2048, 3 * 2048]);
  });

  test('stores stay until they are evicted', () => {
    const stores = traffic(0, [[WAY.store, ...range(0, 256)]]);
    expect(modelL2([stores], 1, large)).toMatchObject({ dramWrittenBytes: 0, dirtyBytes: 8192 });
    const small = modelL2([stores], 1, { ...large, bytes: 2048, ways: 16 });
    expect(small).toMatchObject({ dramWrittenBytes: 6144, dirtyBytes: 2048, dramReadBytes: 0 });
  });

  test('blocks that ask for nothing hold nobody up', () => {
    const blocks = range(0, 7).map((block) =>
      traffic(block, block % 3 === 0 ? [[WAY.direct, 8 * block]] : []),
    );
    expect(modelL2(blocks, 9, { ...large, residentBlocks: 2 })).toMatchObject({
      blocks: 9,
      modelledBlocks: 7,
      readSectors: 3,
    });
    expect(modelL2([], 9, large)).toMatchObject({ modelledBlocks: 0, readSectors: 0 });
  });
});
