import { EmulatorDevice, type Schedule, scheduleText, someSchedules } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { kernel, runPtx } from './support/run-ptx.js';

const opened = new Map<string, EmulatorDevice>();

/** A device under a schedule; it is kept, because to start its workers takes longer than what runs here. */
function open(schedule: Schedule, { workers = 1, checks = true } = {}): EmulatorDevice {
  const key = JSON.stringify([schedule, workers, checks]);
  const device = opened.get(key) ?? new EmulatorDevice({ cache: false, workers, schedule, checks });
  opened.set(key, device);
  return device;
}

afterAll(() => {
  for (const device of opened.values()) device.close();
});

/** Each warp of a block takes the next place of a list; each block its stretch of it. */
const places = kernel(
  'u64 next, u64 out',
  `mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; setp.ne.s32 %p1, %r2, 0; @%p1 ret;
ld.param.u64 %rd1, [next]; ld.param.u64 %rd2, [out]; atom.global.add.u32 %r3, [%rd1], 1;
mul.wide.u32 %rd3, %r3, 4; add.s64 %rd2, %rd2, %rd3; mov.u32 %r4, %ctaid.x; shl.b32 %r4, %r4, 8; shr.u32 %r5, %r1, 5; or.b32 %r4, %r4, %r5; st.global.u32 [%rd2], %r4;`,
);

async function order(schedule: Schedule, workers = 1): Promise<string> {
  const device = open(schedule, { workers });
  const out = new Uint32Array(12);
  await runPtx(device, places, { grid: 3, block: 128, args: [new Uint32Array(1), out] });
  return [...out].map((at) => `${at >> 8}.${at & 255}`).join(' ');
}

describe('the order of blocks and warps', () => {
  test('forward and reverse', async () => {
    expect(await order({ order: 'forward' })).toBe('0.0 0.1 0.2 0.3 1.0 1.1 1.2 1.3 2.0 2.1 2.2 2.3');
    expect(await order({ order: 'reverse' })).toBe('2.3 2.2 2.1 2.0 1.3 1.2 1.1 1.0 0.3 0.2 0.1 0.0');
  });

  test.each(['random', 'adversarial'] as const)(
    '%s: that of the seed, on any number of workers',
    async (of) => {
      const seen = new Set<string>();
      for (const seed of [1, 2, 3, 4]) {
        const first = await order({ order: of, seed });
        expect(await order({ order: of, seed }, 3)).toBe(first);
        expect(first.split(' ').sort()).toEqual((await order({ order: 'forward' })).split(' '));
        seen.add(first);
      }
      expect(seen.size).toBeGreaterThan(2);
    },
  );
});

/** Neighbours swap through shared memory, with the barriers that are asked for. */
const swap = (between: string, behind: string) =>
  kernel(
    'u64 out',
    `.shared .align 4 .b8 s[512]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.s32 %r4, %r3, %r2; xor.b32 %r5, %r2, 256; add.s32 %r5, %r3, %r5;
st.shared.u32 [%r4], %r1; bar.sync 0; st.shared.u32 [%r4], %r1; ${between} ld.shared.u32 %r6, [%r5]; ${behind} add.s32 %r7, %r1, 1000; st.shared.u32 [%r4], %r7;
ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r6;`,
  );

async function swapped(schedule: Schedule, ptx: string): Promise<number[]> {
  const device = open(schedule, { checks: false });
  const out = new Uint32Array(128);
  await runPtx(device, ptx, { block: 128, args: [out] });
  return [...out];
}

describe('barriers', () => {
  const right = Array.from({ length: 128 }, (_, t) => t ^ 64);

  test.each(someSchedules(6).map((schedule) => [scheduleText(schedule), schedule] as const))(
    'that are all there make %s the same as others',
    async (_, schedule) => {
      expect(await swapped(schedule, swap('bar.sync 0;', 'bar.sync 0;'))).toEqual(right);
    },
  );

  test('one that is missing shows in some of them', async () => {
    const wrong: string[] = [];
    for (const schedule of someSchedules(6)) {
      const values = await swapped(schedule, swap('bar.sync 0;', ''));
      if (values.some((value, i) => value !== right[i])) wrong.push(scheduleText(schedule));
    }
    expect(wrong).toContain('forward');
    expect(wrong).toContain('reverse+early');
    expect(wrong.length).toBeGreaterThan(3);
  });
});

describe('copies', () => {
  const ptx = kernel(
    'u64 in, u64 out',
    `.shared .align 16 .b8 s[128]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.s32 %r4, %r3, %r2; st.shared.u32 [%r4], 7;
ld.param.u64 %rd1, [in]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; cp.async.ca.shared.global [%r4], [%rd1], 4; cp.async.commit_group;
ld.shared.u32 %r5, [%r4]; cp.async.wait_group 0; ld.shared.u32 %r6, [%r4];
ld.param.u64 %rd3, [out]; add.s64 %rd3, %rd3, %rd2; st.global.u32 [%rd3], %r5; st.global.u32 [%rd3+128], %r6;`,
  );
  test.each([
    ['late', 7],
    ['early', 100],
  ] as const)('%s: before their wait, %i is there', async (copies, before) => {
    const device = open({ order: 'forward', copies }, { checks: false });
    const out = new Uint32Array(64);
    await runPtx(device, ptx, { block: 32, args: [new Uint32Array(32).fill(100), out] });
    expect([...new Set(out.subarray(0, 32))]).toEqual([before]);
    expect([...new Set(out.subarray(32))]).toEqual([100]);
  });

  test.each(['late', 'early'] as const)('%s: to read before the wait is an error', async (copies) => {
    const device = open({ order: 'random', seed: 3, copies });
    const args = [new Uint32Array(32).fill(100), new Uint32Array(64)];
    const error = await runPtx(device, ptx, { block: 32, args }).catch((e: unknown) => e);
    expect(error).toMatchObject({ kind: 'copy-in-flight' });
    const name = copies === 'early' ? 'random:3\\+early' : 'random:3';
    expect((error as Error).message).toMatch(new RegExp(`, under the schedule ${name}\\.$`));
  });
});

test('float atomics add in the order of the seed, on any number of workers', async () => {
  const ptx = kernel(
    'u64 values, u64 out',
    'mov.u32 %r1, %ctaid.x; ld.param.u64 %rd1, [values]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; ld.global.f32 %f1, [%rd1]; ld.param.u64 %rd3, [out]; red.global.add.f32 [%rd3], %f1;',
  );
  const values = Float32Array.from({ length: 200 }, (_, i) => Math.sin(i) * 1000);
  const sum = async (schedule: Schedule, workers: number) => {
    const device = open(schedule, { workers });
    const out = new Float32Array(1);
    await runPtx(device, ptx, { grid: 200, block: 1, args: [values, out] });
    return out[0];
  };
  const sums = new Set<number | undefined>();
  for (const seed of [1, 2, 3]) {
    const first = await sum({ order: 'random', seed }, 1);
    expect(await sum({ order: 'random', seed }, 3)).toBe(first);
    sums.add(first);
  }
  expect(sums.size).toBeGreaterThan(1);
});

test('blocks that wait for others go on under every schedule', async () => {
  const ptx = kernel(
    'u64 flags, u64 out',
    `mov.u32 %r1, %ctaid.x; mov.u32 %r9, %nctaid.x; ld.param.u64 %rd1, [flags]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;
setp.eq.s32 %p1, %r1, 0; @%p1 bra GO;
WAIT: ld.acquire.gpu.global.u32 %r2, [%rd1+-4]; setp.eq.s32 %p2, %r2, 0; @%p2 bra WAIT;
GO: add.s32 %r3, %r1, 1; st.release.gpu.global.u32 [%rd1], %r3;`,
  );
  for (const schedule of someSchedules(6)) {
    const device = open(schedule);
    const flags = new Uint32Array(40);
    await runPtx(device, ptx, { grid: 40, block: 1, args: [flags, new Uint32Array(1)] });
    expect([...flags]).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
  }
});

test.each([
  [{ order: 'sideways' }, /schedule\.order must be one of forward, reverse, random, adversarial/],
  [{ order: 'random', seed: -1 }, /schedule\.seed must be an integer in 0\.\.4294967295/],
  [{ order: 'random', seed: 0.5 }, /schedule\.seed/],
  [{ order: 'forward', copies: 'never' }, /schedule\.copies must be 'late' or 'early'/],
  [{ order: 'forward', blocks: 3 }, /made of order, seed and copies/],
  ['random', /an object with an order/],
])('%j is refused', (schedule, message) => {
  expect(() => open(schedule as Schedule)).toThrow(message);
});
