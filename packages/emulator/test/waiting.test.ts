import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { kernel, runPtx } from './support/run-ptx.js';

const devices = [1, 2, 5].map(
  (workers) => new EmulatorDevice({ cache: false, workers, counters: workers === 2 }),
);
afterAll(() => {
  for (const device of devices) device.close();
});

const GRID = 264;

/** Element `%r1` of an array parameter, in `%rd${to}`. */
const element = (param: string, to: number, index: string, bytes = 4) =>
  `ld.param.u64 %rd40, [${param}]; mul.wide.u32 %rd41, ${index}, ${bytes}; add.s64 %rd${to}, %rd40, %rd41;`;

describe.each(devices)('with $workers workers', (device) => {
  test.each([
    ['ld.volatile.global.u32', 'st.volatile.global.u32'],
    ['ld.acquire.gpu.global.u32', 'st.release.gpu.global.u32'],
    ['ld.relaxed.sys.global.u32', 'st.relaxed.sys.global.u32'],
  ])('block 0 waits for the last of %s', async (load, store) => {
    const ptx = kernel(
      'u64 flag, u64 data, u64 out',
      `mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [flag]; ld.param.u64 %rd2, [out]; ${element('data', 3, '%r2')}
setp.eq.s32 %p1, %r1, 0; @%p1 bra WAIT;
setp.ne.s32 %p2, %r1, ${GRID - 1}; @%p2 ret;
add.s32 %r3, %r2, 1000; st.global.u32 [%rd3], %r3; bar.sync 0; membar.gl; setp.ne.s32 %p3, %r2, 0; @%p3 ret; ${store} [%rd1], 1; ret;
WAIT: ${load} %r4, [%rd1]; setp.eq.s32 %p4, %r4, 0; @%p4 bra WAIT;
ld.global.u32 %r5, [%rd3]; ${element('out', 4, '%r2')} st.global.u32 [%rd4], %r5;`,
    );
    const out = new Uint32Array(64);
    await runPtx(device, ptx, {
      grid: GRID,
      block: 64,
      args: [new Uint32Array(1), new Uint32Array(64), out],
    });
    expect([...out]).toEqual(Array.from({ length: 64 }, (_, t) => 1000 + t));
  });

  test('one lane polls by an atomic operation while its warp waits at a barrier', async () => {
    const ptx = kernel(
      'u64 flag, u64 out',
      `mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; ld.param.u64 %rd1, [flag]; setp.ne.s32 %p1, %r2, 37; @%p1 bra MEET;
setp.eq.s32 %p2, %r1, ${GRID - 1}; @%p2 bra RAISE;
POLL: atom.global.cas.b32 %r3, [%rd1], 7, 7; setp.ne.s32 %p3, %r3, 7; @%p3 bra POLL; bra MEET;
RAISE: atom.global.exch.b32 %r4, [%rd1], 7;
MEET: bar.sync 0; setp.ne.s32 %p4, %r2, 0; @%p4 ret; ${element('out', 2, '%r1')} st.global.u32 [%rd2], 1;`,
    );
    const out = new Uint32Array(GRID);
    await runPtx(device, ptx, { grid: GRID, block: 64, args: [new Uint32Array(1), out] });
    expect(out.every((done) => done === 1)).toBe(true);
  });

  test('a barrier of the whole grid, by a counter that grows, several times over', async () => {
    const rounds = 3;
    const ptx = kernel(
      'u64 count, u64 values, u64 out',
      `.shared .align 4 .b8 seen[4];
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r10, 0; ld.param.u64 %rd1, [count]; setp.eq.s32 %p1, %r2, 0;
${element('values', 2, '%r1')} add.s32 %r3, %r1, 1; rem.u32 %r3, %r3, ${GRID}; ${element('values', 3, '%r3')}
mov.u32 %r4, %r1;
ROUND:
@%p1 st.volatile.global.u32 [%rd2], %r4; bar.sync 0; @!%p1 bra ARRIVED;
membar.gl; atom.global.add.u32 %r5, [%rd1], 1; add.s32 %r6, %r10, 1; mul.lo.s32 %r6, %r6, ${2 * GRID}; sub.s32 %r6, %r6, ${GRID};
SPIN1: ld.acquire.gpu.global.u32 %r7, [%rd1]; setp.lt.u32 %p2, %r7, %r6; @%p2 bra SPIN1;
ld.volatile.global.u32 %r8, [%rd3]; st.shared.u32 [seen], %r8;
atom.global.add.u32 %r5, [%rd1], 1; add.s32 %r6, %r6, ${GRID};
SPIN2: ld.acquire.gpu.global.u32 %r7, [%rd1]; setp.lt.u32 %p2, %r7, %r6; @%p2 bra SPIN2;
ARRIVED: bar.sync 0; ld.shared.u32 %r4, [seen]; bar.sync 0;
add.s32 %r10, %r10, 1; setp.lt.u32 %p3, %r10, ${rounds}; @%p3 bra ROUND;
@!%p1 ret; ${element('out', 4, '%r1')} st.global.u32 [%rd4], %r4;`,
    );
    const out = new Uint32Array(GRID);
    await runPtx(device, ptx, {
      grid: GRID,
      block: 64,
      args: [new Uint32Array(1), new Uint32Array(GRID), out],
    });
    // In each round a block takes over what its right neighbour has.
    expect([...out]).toEqual(Array.from({ length: GRID }, (_, b) => (b + rounds) % GRID));
  });

  test('warps that spin on shared memory until another has passed a barrier of its own', async () => {
    const ptx = kernel(
      'u64 out',
      `.shared .align 4 .b8 flag[4]; .shared .align 4 .b8 sum[256];
mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; setp.eq.s32 %p1, %r1, 0; @%p1 st.shared.u32 [flag], 0; bar.sync 0;
setp.eq.s32 %p2, %r2, 2; @%p2 bra SPIN; shl.b32 %r3, %r1, 2; mov.u32 %r8, sum; add.s32 %r3, %r3, %r8; st.shared.u32 [%r3], %r1;
bar.sync 1, 64; @!%p1 ret; st.volatile.shared.u32 [flag], 1; ret;
SPIN: ld.volatile.shared.u32 %r4, [flag]; setp.eq.s32 %p3, %r4, 0; @%p3 bra SPIN;
sub.s32 %r5, %r1, 64; shl.b32 %r6, %r5, 2; mov.u32 %r8, sum; add.s32 %r6, %r6, %r8; ld.shared.u32 %r7, [%r6]; ld.shared.u32 %r9, [%r6+128]; add.s32 %r7, %r7, %r9; ${element('out', 1, '%r5')} st.global.u32 [%rd1], %r7;`,
    );
    const out = new Uint32Array(32);
    await runPtx(device, ptx, { grid: 3, block: 96, args: [out] });
    expect([...out]).toEqual(Array.from({ length: 32 }, (_, t) => 2 * t + 32));
  });

  test('a wait in a loop with two entries', async () => {
    const ptx = kernel(
      'u64 flag, u64 out',
      `mov.u32 %r1, %ctaid.x; mov.u32 %r3, 0; ld.param.u64 %rd1, [flag]; setp.eq.s32 %p1, %r1, ${GRID - 1}; @%p1 bra RAISE; and.b32 %r2, %r1, 1; setp.eq.s32 %p2, %r2, 0; @%p2 bra INSIDE;
AGAIN: add.s32 %r3, %r3, 1;
INSIDE: ld.volatile.global.u32 %r4, [%rd1]; setp.eq.s32 %p3, %r4, 0; @%p3 bra AGAIN;
${element('out', 2, '%r1')} st.global.u32 [%rd2], 1; ret;
RAISE: st.volatile.global.u32 [%rd1], 1;`,
    );
    const out = new Uint32Array(GRID);
    await runPtx(device, ptx, { grid: GRID, block: 4, args: [new Uint32Array(1), out] });
    expect([...out]).toEqual(Array.from({ length: GRID }, (_, b) => (b < GRID - 1 ? 1 : 0)));
  });

  test('more blocks than the device holds at a time, each in turn', async () => {
    const ptx = kernel(
      'u64 total',
      'ld.param.u64 %rd1, [total]; mov.u32 %r1, 0; LOOP: atom.global.add.u32 %r2, [%rd1], 1; add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 2; @%p1 bra LOOP; bar.sync 0; red.global.add.u32 [%rd1+4], 1;',
    );
    const total = new Uint32Array(2);
    await runPtx(device, ptx, { grid: 300, block: 1024, args: [total] });
    expect([...total]).toEqual([2 * 300 * 1024, 300 * 1024]);
  });

  test('a lock that every lane of every block takes', async () => {
    const ptx = kernel(
      'u64 lock, u64 count',
      `ld.param.u64 %rd1, [lock]; ld.param.u64 %rd2, [count]; mov.u32 %r1, 0;
TRY: atom.acquire.gpu.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.s32 %p1, %r2, 0; @%p1 bra NEXT;
ld.volatile.global.u32 %r3, [%rd2]; add.s32 %r3, %r3, 1; st.volatile.global.u32 [%rd2], %r3; membar.gl; atom.release.gpu.global.exch.b32 %r4, [%rd1], 0; mov.u32 %r1, 1;
NEXT: setp.eq.s32 %p2, %r1, 0; @%p2 bra TRY;`,
    );
    const count = new Uint32Array(1);
    await runPtx(device, ptx, { grid: 12, block: 40, args: [new Uint32Array(1), count] });
    expect(count[0]).toBe(12 * 40);
  });

  test('the last block to finish adds up what all have left', async () => {
    const ptx = kernel(
      'u64 ticket, u64 parts, u64 total',
      `mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; setp.ne.s32 %p1, %r2, 0; @%p1 ret; ${element('parts', 1, '%r1')} mul.lo.s32 %r3, %r1, %r1; st.global.u32 [%rd1], %r3; membar.gl;
ld.param.u64 %rd2, [ticket]; atom.global.inc.u32 %r4, [%rd2], ${GRID - 1}; setp.ne.s32 %p2, %r4, ${GRID - 1}; @%p2 ret;
mov.u32 %r5, 0; mov.u32 %r6, 0; ld.param.u64 %rd3, [parts];
SUM: ld.global.u32 %r7, [%rd3]; add.s32 %r6, %r6, %r7; add.s64 %rd3, %rd3, 4; add.s32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, ${GRID}; @%p3 bra SUM;
ld.param.u64 %rd4, [total]; st.global.u32 [%rd4], %r6;`,
    );
    const total = new Uint32Array(1);
    const ticket = new Uint32Array(1);
    await runPtx(device, ptx, { grid: GRID, block: 32, args: [ticket, new Uint32Array(GRID), total] });
    expect(total[0]).toBe(((GRID - 1) * GRID * (2 * GRID - 1)) / 6);
    expect(ticket[0]).toBe(0);
  });
});
