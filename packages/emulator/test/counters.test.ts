import { counterFacts, EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { at, memory, profileOf, site } from './support/profiles.js';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, counters: true });
afterAll(() => device.close());

describe('sectors per request', () => {
  const ACCESSES: [string, string, string, number, number][] = [
    // Title, byte offset, access, sectors and bytes used per request of 32 lanes.
    ['coalesced', 'shl.b32 %r2, %r1, 2;', 'f32 %f1', 4, 128],
    ['every lane in a row of its own', 'shl.b32 %r2, %r1, 7;', 'f32 %f1', 32, 128],
    ['one address for all', 'mov.u32 %r2, 64;', 'f32 %f1', 1, 4],
    ['off by one float', 'shl.b32 %r2, %r1, 2; add.s32 %r2, %r2, 4;', 'f32 %f1', 5, 128],
    ['backwards', 'sub.s32 %r2, 31, %r1; and.b32 %r2, %r2, 31; shl.b32 %r2, %r2, 2;', 'f32 %f1', 4, 128],
    ['every other float', 'shl.b32 %r2, %r1, 3;', 'f32 %f1', 8, 128],
    ['pairs of lanes', 'shr.u32 %r2, %r1, 1; shl.b32 %r2, %r2, 2;', 'f32 %f1', 2, 64],
    ['bytes', 'mov.u32 %r2, %r1;', 'u8 %r5', 1, 32],
    ['doubles', 'shl.b32 %r2, %r1, 3;', 'f64 %fd1', 8, 256],
  ];

  test.each(ACCESSES)('%s', async (_title, offset, access, sectors, used) => {
    const [type, register] = access.split(' ') as [string, string];
    const warp = `rem.u32 %r1, %r1, 32; ${offset}`;
    for (const kind of ['load', 'store'] as const) {
      const text =
        kind === 'load' ? `ld.global.${type} ${register}, [%rd3];` : `st.global.${type} [%rd3], ${register};`;
      const profile = await profileOf(device, kernel('u64 p', `${at(warp)}\n${text}`), {
        grid: 3,
        block: 64,
        args: [memory()],
      });
      const bytes = Number(/\d+/.exec(type)![0]) / 8;
      expect(site(profile, text.slice(0, 9))).toMatchObject({
        space: 'global',
        kind,
        requests: 6,
        sectors: 6 * sectors,
        bytesRequested: 6 * 32 * bytes,
        bytesUsed: 6 * used,
      });
    }
  });

  test('vectors of four floats', async () => {
    const ptx = kernel(
      'u64 p',
      `${at('shl.b32 %r2, %r1, 4;')}\nld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];`,
    );
    const profile = await profileOf(device, ptx, { block: 64, args: [memory()] });
    expect(site(profile, 'ld.global')).toMatchObject({
      requests: 2,
      sectors: 32,
      bytesRequested: 1024,
      bytesUsed: 1024,
    });
    const facts = counterFacts([profile]);
    expect(facts.value('global.load.sectorsPerRequest')).toBe(16);
    expect(facts.value('global.load.bytesPerSector')).toBe(32);
  });

  test('halves of a warp apart: one request each of what their branch does', async () => {
    const body = `${at('shl.b32 %r2, %r1, 2;')} and.b32 %r3, %r1, 1; setp.eq.s32 %p1, %r3, 0; @%p1 bra EVEN;
st.global.f32 [%rd3], 0f3F800000;
bra MEET;
EVEN: st.global.u32 [%rd3], 7;
MEET: ld.global.b32 %r4, [%rd3];`;
    const profile = await profileOf(device, kernel('u64 p', body), { block: 32, args: [memory()] });
    for (const start of ['st.global.f32', 'st.global.u32']) {
      expect(site(profile, start)).toMatchObject({
        requests: 1,
        sectors: 4,
        bytesRequested: 64,
        bytesUsed: 64,
      });
    }
    expect(site(profile, 'ld.global.b32')).toMatchObject({ requests: 1, sectors: 4, bytesRequested: 128 });
  });

  test('guarded accesses: lanes that are let through, and no request where none is', async () => {
    const body = `${at('shl.b32 %r2, %r1, 2;')} setp.lt.u32 %p1, %r1, 10;\n@%p1 ld.global.b32 %r4, [%rd3];`;
    const profile = await profileOf(device, kernel('u64 p', body), { block: 96, args: [memory()] });
    expect(site(profile, '@%p1 ld.global')).toMatchObject({
      requests: 1,
      sectors: 2,
      bytesRequested: 40,
      bytesUsed: 40,
    });
  });

  test('a last warp that lacks lanes', async () => {
    const profile = await profileOf(
      device,
      kernel('u64 p', `${at('shl.b32 %r2, %r1, 2;')}\nld.global.b32 %r4, [%rd3];`),
      {
        block: 37,
        args: [memory()],
      },
    );
    expect(site(profile, 'ld.global')).toMatchObject({
      requests: 2,
      sectors: 5,
      bytesRequested: 148,
      bytesUsed: 148,
    });
  });

  test('atomic operations, shared and local memory', async () => {
    const body = `.shared .align 4 .b8 s[256]; .local .align 4 .b8 l[16];
${at('shl.b32 %r2, %r1, 2;')} red.global.add.u32 [%rd1], 1;\nst.shared.u32 [%r2], %r1;\nld.shared.u32 %r5, [%r2];\nst.local.u32 [l], %r1;`;
    const profile = await profileOf(device, kernel('u64 p', body), { block: 64, args: [memory()] });
    expect(site(profile, 'red.global')).toMatchObject({
      kind: 'atomic',
      requests: 2,
      sectors: 2,
      bytesRequested: 256,
      bytesUsed: 8,
    });
    expect(site(profile, 'st.shared')).toMatchObject({
      space: 'shared',
      requests: 2,
      sectors: 0,
      bytesRequested: 256,
      bytesUsed: 0,
    });
    expect(site(profile, 'st.local')).toMatchObject({ space: 'local', requests: 2, sectors: 0 });
    const facts = counterFacts([profile]);
    expect(facts.value('shared.load.requests')).toBe(2);
    expect(facts.value('global.atomic.sectorsPerRequest')).toBe(1);
    expect(() => facts.value('no.such')).toThrow(RangeError);
  });
});

describe('instructions by class', () => {
  test('a loop with a known number of turns', async () => {
    const turns = 17;
    const body = `.shared .align 4 .b8 s[256]; ${at('shl.b32 %r2, %r1, 2;')}
mov.u32 %r3, 0; st.shared.u32 [%r2], 0;
LOOP: ld.shared.f32 %f1, [%r2]; fma.rn.f32 %f2, %f1, %f1, %f1; add.rn.f32 %f3, %f1, %f2; cvt.rn.f32.s32 %f4, %r3; bar.sync 0;
add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, ${turns}; @%p1 bra LOOP;
st.global.f32 [%rd3], %f2;`;
    const { instructions } = await profileOf(device, kernel('u64 p', body), {
      grid: 2,
      block: 64,
      args: [memory()],
    });
    const threads = 128;
    expect(instructions).toEqual({
      'load.param': threads,
      // %tid.x and the counter's start.
      move: 2 * threads,
      // Byte offset, address in two steps; then the counter.
      integer: (3 + turns) * threads,
      'store.shared': threads,
      'load.shared': turns * threads,
      ffma: turns * threads,
      fp: turns * threads,
      convert: turns * threads,
      barrier: turns * threads,
      predicate: turns * threads,
      branch: (turns + 1) * threads,
      'store.global': threads,
    });
    const facts = counterFacts([
      {
        kernel: 'k',
        config: { grid: [2, 1, 1], block: [64, 1, 1] },
        instructions,
        staticInstructions: {},
        sites: [],
      },
    ]);
    const total = Object.values(instructions).reduce((x, y) => x + y, 0);
    expect(facts.value('instructions.total')).toBe(total);
    expect(facts.value('ffma.share')).toBe((turns * threads) / total);
    expect(facts.value('overhead.perFfma')).toBe(total / (turns * threads) - 1);
    expect(facts.value('instructions.async')).toBe(0);
    expect(facts.value('barriers.perThread')).toBe(turns);
  });

  test('lanes count for themselves where they run apart', async () => {
    const body = `mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; mov.u32 %r3, 0;
LOOP: add.s32 %r3, %r3, 1; setp.le.u32 %p1, %r3, %r2; @%p1 bra LOOP;`;
    const { instructions } = await profileOf(device, kernel('', body), { block: 61 });
    const turns = Array.from({ length: 61 }, (_, t) => (t & 3) + 1).reduce((x, y) => x + y, 0);
    expect(instructions).toEqual({ move: 2 * 61, integer: 61 + turns, predicate: turns, branch: turns + 61 });
  });
});

test('counting changes nothing of what a kernel computes, and another device counts nothing', async () => {
  const body = `${at('shl.b32 %r2, %r1, 2;')} mov.u32 %r3, 0; mov.f32 %f1, 0f3F800000;
LOOP: fma.rn.f32 %f1, %f1, 0f3F800001, 0f3F000000; add.s32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1; @%p1 bra LOOP;
st.global.f32 [%rd3], %f1;`;
  using plain = new EmulatorDevice({ cache: false });
  const [x, y] = [new Float32Array(64), new Float32Array(64)];
  await runPtx(device, kernel('u64 p', body), { block: 64, args: [x] });
  await runPtx(plain, kernel('u64 p', body), { block: 64, args: [y] });
  expect(x).toEqual(y);
  expect(plain.takeProfiles()).toEqual([]);
  const [profile] = device.takeProfiles().slice(-1);
  expect(profile).toMatchObject({ kernel: 'k', config: { grid: [1, 1, 1], block: [64, 1, 1] } });
});
