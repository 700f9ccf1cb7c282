import { counterFacts, EmulatorDevice, type LaunchProfile } from '@ffma/emulator';
import { expect, test } from 'vitest';
import { kernel, type PtxLaunch, runPtx } from './support/run-ptx.js';

/** Runs once on a device that models the cache. */
async function modelled(
  l2: NonNullable<NonNullable<ConstructorParameters<typeof EmulatorDevice>[0]>['counters']>,
  ptx: string,
  launch: PtxLaunch,
  workers = 2,
): Promise<LaunchProfile> {
  using device = new EmulatorDevice({ cache: false, counters: l2, checks: false, workers });
  await runPtx(device, ptx, launch);
  return device.takeProfiles()[0]!;
}

/** Each block of 64 threads reads 256 bytes at `%r4`, and thread 0 of it stores a float at its own 32 bytes of q. */
const reader = (from: string, load = 'ld.global.f32') =>
  kernel(
    'u64 p, u64 q',
    `ld.param.u64 %rd1, [p]; ld.param.u64 %rd4, [q]; mov.u32 %r1, %tid.x; mov.u32 %r3, %ctaid.x; ${from}
shl.b32 %r2, %r1, 2; add.s32 %r2, %r2, %r4; mul.wide.u32 %rd2, %r2, 1; add.s64 %rd3, %rd1, %rd2;
${load} %f1, [%rd3]; bar.sync 0; ${load} %f2, [%rd3];
shl.b32 %r2, %r3, 5; mul.wide.u32 %rd2, %r2, 1; add.s64 %rd3, %rd4, %rd2; setp.eq.s32 %p1, %r1, 0;
@%p1 st.global.f32 [%rd3], %f1;`,
  );
const args = () => [new Float32Array(16_384), new Float32Array(1024)];

test('blocks that read the same, and blocks that read their own', async () => {
  const same = await modelled({ l2: true }, reader('mov.u32 %r4, 0;'), { grid: 10, block: 64, args: args() });
  expect(same.l2).toMatchObject({
    bytes: 62_914_560,
    ways: 16,
    // 32 blocks of 64 threads on each of 132 multiprocessors.
    residentBlocks: 4224,
    blocks: 10,
    modelledBlocks: 10,
    readSectors: 80,
    readHits: 72,
    writtenSectors: 10,
    dramReadBytes: 256,
    dramWrittenBytes: 0,
    dirtyBytes: 320,
  });
  const facts = counterFacts([same]);
  expect(facts.value('l2Model.readHitRate')).toBe(0.9);
  const own = await modelled({ l2: true }, reader('shl.b32 %r4, %r3, 8;'), {
    grid: 10,
    block: 64,
    args: args(),
  });
  expect(own.l2).toMatchObject({ readSectors: 80, readHits: 0, dramReadBytes: 2560 });
});

test('loads past L1 come to L2 each time; those of L1 once a block', async () => {
  const launch = { grid: 4, block: 64 };
  const count = async (load: string) => {
    const profile = await modelled({ l2: true }, reader('mov.u32 %r4, 0;', load), {
      ...launch,
      args: args(),
    });
    return counterFacts([profile]).value('l2Model.readSectors');
  };
  expect(await count('ld.global.f32')).toBe(4 * 8);
  expect(await count('ld.volatile.global.f32')).toBe(2 * 4 * 8);
});

test('a cache that is too small, and blocks one after the other', async () => {
  // Two rounds over 32 KiB by 128 + 128 blocks: a cache of 64 KiB keeps them, one of 4 KiB does not.
  const twice = reader('and.b32 %r4, %r3, 127; shl.b32 %r4, %r4, 8;');
  const hits = async (bytes: number, smCount: number) => {
    const l2 = { bytes, smCount, registers: () => 32 };
    const profile = await modelled({ l2 }, twice, { grid: 256, block: 64, args: args() }, 3);
    return counterFacts([profile]).value('l2Model.readHitRate');
  };
  expect(await hits(65_536, 1)).toBe(0.5);
  expect(await hits(4096, 1)).toBe(0);
  expect(await hits(65_536, 8)).toBe(0.5);
});

test('registers decide how many blocks are at work', async () => {
  const l2 = { registers: (name: string) => (name === 'k' ? 255 : undefined) };
  const profile = await modelled({ l2 }, reader('mov.u32 %r4, 0;'), { grid: 1, block: 64, args: args() });
  // 65,536 registers ÷ (256 × 32) are 8 warps, so 4 blocks of two.
  expect(profile.l2?.residentBlocks).toBe(4 * 132);
});

test.each([
  [{ l2: { bytes: 0 } }, /counters\.l2\.bytes must be a positive integer, but is 0/],
  [{ l2: { smCount: 1.5 } }, /counters\.l2\.smCount must be/],
  [{ l2: { registers: 'many' } }, /counters\.l2\.registers must be a positive integer or a function/],
  [{ l2: { sets: 4 } }, /no option 'sets'; it has bytes, ways, smCount, registers/],
  [{ l2: 1 }, /counters\.l2 must be a boolean or an object/],
  [{ l1: true }, /counters has no option 'l1'/],
])('refused: %o', (counters, message) => {
  expect(() => new EmulatorDevice({ counters: counters as never })).toThrow(message);
});

test('without it there is no model, and its figures are no numbers', async () => {
  const profile = await modelled(true, reader('mov.u32 %r4, 0;'), { grid: 2, block: 64, args: args() });
  expect(profile.l2).toBeUndefined();
  expect(counterFacts([profile]).value('l2Model.readHitRate')).toBeNaN();
});
