import { readFileSync } from 'node:fs';
import { KernelFaultError } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { kernel, lineOf, runPtx } from './support/run-ptx.js';

const devices = [1, 2, 5].map(
  (workers) => new EmulatorDevice({ cache: false, workers, counters: workers === 2, checks: workers !== 5 }),
);
afterAll(() => {
  for (const device of devices) device.close();
});

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}.ptx`, import.meta.url), 'utf8');

/** Sums of `k` rows by `tiles` groups of `splits` blocks, and what they must be, bit for bit. */
async function fixUp(
  device: EmulatorDevice,
  ptx: string,
  tiles: number,
  splits: number,
  k: number,
  forward = true,
) {
  const columns = 64 * tiles;
  const values = Float32Array.from({ length: k * columns }, (_, i) =>
    Math.fround(1 / (1 + ((i * 7919) % 1009))),
  );
  const grid = tiles * splits;
  const sums = new Float32Array(columns);
  const args = [values, new Float32Array(64 * grid), new Uint32Array(grid), sums, splits, k];
  await runPtx(device, ptx, { kernel: 'fix_up', grid, block: 64, args });
  const wanted = Float32Array.from({ length: columns }, (_, column) => {
    const parts = Array.from({ length: splits }, (_, part) => {
      let sum = 0;
      const last = Math.floor(((part + 1) * k) / splits);
      for (let i = Math.floor((part * k) / splits); i < last; i++)
        sum = Math.fround(sum + values[i * columns + column]!);
      return sum;
    });
    if (!forward) parts.reverse();
    return parts.reduce((before, own) => Math.fround(before + own));
  });
  return { sums, wanted };
}

describe.each(devices)('with $workers workers', (device) => {
  test.each([
    [1, 1, 5],
    [1, 7, 30],
    [44, 6, 18],
    [3, 88, 100],
  ])('%i tiles of %i blocks wait for the block before', async (tiles, splits, k) => {
    const { sums, wanted } = await fixUp(device, fixture('fix-up'), tiles, splits, k);
    expect(sums).toEqual(wanted);
  });

  test('as many blocks as the device holds, each waiting for one that is started later', async () => {
    // 132 multiprocessors with 32 blocks of 64 threads each.
    const { sums, wanted } = await fixUp(device, fixture('fix-up-backwards'), 32, 132, 132, false);
    expect(sums).toEqual(wanted);
  });

  test('a circle of blocks that wait for each other is ended, with the line of the wait', async () => {
    const ptx = fixture('fix-up-circle');
    const error: unknown = await fixUp(device, ptx, 5, 4, 8).catch((reason) => reason);
    expect(error).toBeInstanceOf(KernelFaultError);
    const { kind, place, message } = error as KernelFaultError;
    expect(kind).toBe('deadlock');
    expect(place).toMatchObject({ kernel: 'fix_up', thread: [0, 0, 0] });
    expect(place.instruction).toMatch(/^ld\.acquire\.gpu\.global\.u32/);
    expect(ptx.split('\n')[place.ptxLine! - 1]).toContain(place.instruction);
    expect(message).toContain('waits in a loop for memory that no thread of the grid changes any more');
  });
});

const [, device] = devices as [EmulatorDevice, EmulatorDevice];

describe('what ends, and what does not', () => {
  test('a block waits for one that the device has no room for', async () => {
    const ptx = kernel(
      'u64 flags',
      `ld.param.u64 %rd1, [flags]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 %r3, %nctaid.x; sub.s32 %r3, %r3, 1; setp.eq.s32 %p2, %r1, %r3; @%p2 bra GO;
WAIT:
ld.volatile.global.u32 %r2, [%rd3+4];
setp.eq.s32 %p1, %r2, 0; @%p1 bra WAIT;
GO: st.volatile.global.u32 [%rd3], 1;`,
    );
    // Two blocks of 1024 threads a multiprocessor.
    const launch = (grid: number) => ({ grid, block: 1024, args: [new Uint32Array(grid)] });
    await runPtx(device, ptx, launch(264));
    // Which of the blocks that wait is named is not foretold.
    const error: unknown = await runPtx(device, ptx, launch(300)).catch((reason) => reason);
    expect(error).toBeInstanceOf(KernelFaultError);
    const { kind, place, message } = error as KernelFaultError;
    expect(kind).toBe('deadlock');
    expect(place.ptxLine).toBe(lineOf(ptx, 'ld.volatile.global.u32'));
    expect(message).toContain('36 blocks have not started');
  });

  test('a lock that is never given back', async () => {
    const ptx = kernel(
      'u64 lock',
      `ld.param.u64 %rd1, [lock];
TRY:
atom.global.exch.b32 %r1, [%rd1], 1;
setp.ne.s32 %p1, %r1, 0; @%p1 bra TRY;`,
    );
    await expectFault(
      device,
      ptx,
      { block: 1, args: [new Uint32Array([1])] },
      {
        kind: 'deadlock',
        at: 'atom.global.exch.b32 %r1, [%rd1], 1;',
        thread: [0, 0, 0],
      },
    );
    await runPtx(device, ptx, { block: 1, args: [new Uint32Array(1)] });
  });

  test('a lane that waits for another lane of its warp', async () => {
    const ptx = kernel(
      'u64 flag',
      `ld.param.u64 %rd1, [flag]; mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 5; @!%p1 bra MEET;
WAIT:
ld.volatile.global.u32 %r2, [%rd1];
setp.eq.s32 %p2, %r2, 0; @%p2 bra WAIT;
MEET: bar.sync 0; st.volatile.global.u32 [%rd1], 1;`,
    );
    await expectFault(
      device,
      ptx,
      { block: 32, args: [new Uint32Array(1)] },
      {
        kind: 'deadlock',
        at: 'ld.volatile.global.u32 %r2, [%rd1];',
        thread: [5, 0, 0],
      },
    );
  });

  test('long loops of volatile reads and bounded waits are no deadlocks', async () => {
    const ptx = kernel(
      'u64 flag, u64 out',
      `ld.param.u64 %rd1, [flag]; ld.param.u64 %rd2, [out]; mov.u32 %r1, 0;
COUNT: ld.volatile.global.u32 %r2, [%rd1]; add.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r2, 0; @%p1 bra DONE; setp.lt.u32 %p2, %r1, 100000; @%p2 bra COUNT;
DONE: mov.u64 %rd3, %clock64;
TICK: ld.volatile.global.u32 %r2, [%rd1]; setp.ne.s32 %p1, %r2, 0; @%p1 bra END; mov.u64 %rd4, %clock64; sub.s64 %rd5, %rd4, %rd3; setp.lt.u64 %p2, %rd5, 100000; @%p2 bra TICK;
END: st.global.u32 [%rd2], %r1;`,
    );
    const out = new Uint32Array(1);
    await runPtx(device, ptx, { args: [new Uint32Array(1), out] });
    expect(out[0]).toBe(100000);
  });
});
