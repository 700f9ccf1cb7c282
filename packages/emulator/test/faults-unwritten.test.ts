import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, test } from 'vitest';
import { address, expectFault } from './support/faults.js';
import { kernel, runPtx, Unwritten } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false });
const unchecked = new EmulatorDevice({ cache: false, checks: false });
afterAll(() => {
  device.close();
  unchecked.close();
});

describe('misaligned', () => {
  const load = 'ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];';

  test('a vector load at a float that is no multiple of four', async () => {
    const ptx = kernel('u64 p', `${address(16, 4)}\n${load}`);
    await expectFault(
      device,
      ptx,
      { block: 8, args: [new Float32Array(64)] },
      {
        kind: 'misaligned',
        at: load,
        thread: [0, 0, 0],
        says: ['multiple of 16'],
      },
    );
  });

  test('in one lane of four', async () => {
    const ptx = kernel('u64 p', `${address(20)}\n${load}`);
    await expectFault(
      device,
      ptx,
      { block: 8, args: [new Float32Array(64)] },
      {
        kind: 'misaligned',
        at: load,
        thread: [1, 0, 0],
      },
    );
  });

  test('in shared memory, and of a half-word', async () => {
    const ptx = kernel(
      '',
      `.shared .align 16 .b8 tile[256];\nmov.u32 %r1, %tid.x; mad.lo.s32 %r2, %r1, 3, 1;\nst.shared.u16 [%r2], 5;`,
    );
    await expectFault(
      device,
      ptx,
      { block: 8 },
      { kind: 'misaligned', at: 'st.shared.u16 [%r2], 5;', thread: [0, 0, 0] },
    );
  });
});

describe('read of what nothing has written', () => {
  test('global memory', async () => {
    const ptx = kernel('u64 p', `${address(4)}\nld.global.f32 %f1, [%rd3];`);
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Unwritten(256)] },
      {
        kind: 'uninitialised-read',
        at: 'ld.global.f32 %f1, [%rd3];',
        thread: [0, 0, 0],
      },
    );
  });

  test('one float that a kernel left out', async () => {
    const ptx = kernel(
      'u64 p',
      `${address(4)}\nsetp.eq.s32 %p1, %r1, 22;\n@!%p1 st.global.f32 [%rd3], 0f00000000;\nbar.sync 0;\nld.global.f32 %f1, [%rd3];`,
    );
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Unwritten(256)] },
      {
        kind: 'uninitialised-read',
        at: 'ld.global.f32 %f1, [%rd3];',
        thread: [22, 0, 0],
      },
    );
  });

  test('shared memory, which does not keep what the block before it left', async () => {
    const ptx = kernel(
      '',
      `.shared .align 4 .b8 tile[256];
mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, %ctaid.x; setp.eq.s32 %p1, %r3, 0;
@%p1 st.shared.u32 [%r2], 1;
bar.sync 0;
ld.shared.u32 %r4, [%r2];`,
    );
    const one = new EmulatorDevice({ cache: false, workers: 1 });
    await expectFault(
      one,
      ptx,
      { grid: 2, block: 64 },
      {
        kind: 'uninitialised-read',
        at: 'ld.shared.u32 %r4, [%r2];',
        block: [1, 0, 0],
        thread: [0, 0, 0],
      },
    );
    one.close();
  });

  test('a half-word of which one byte was written', async () => {
    const ptx = kernel('u64 p', `${address(2)}\nst.global.u8 [%rd3], 1;\nld.global.u16 %r5, [%rd3];`);
    await expectFault(
      device,
      ptx,
      { block: 4, args: [new Unwritten(8)] },
      {
        kind: 'uninitialised-read',
        at: 'ld.global.u16 %r5, [%rd3];',
        thread: [0, 0, 0],
      },
    );
  });

  test('a copy of such memory is no better', async () => {
    using stream = device.createStream();
    using source = device.allocateSync(32);
    using target = device.allocateSync(32);
    await source.copyFrom(stream, new Uint8Array(16), 4);
    target.fill(stream, 0);
    await target.copyFrom(stream, source);
    const ptx = kernel('u64 p', `${address(4)}\nld.global.f32 %f1, [%rd3];`);
    await runPtx(device, ptx, { block: 4, args: [{ type: 'pointer', buffer: target, offset: 4 }] });
    await expectFault(
      device,
      ptx,
      { block: 8, args: [{ type: 'pointer', buffer: target }] },
      { kind: 'uninitialised-read', thread: [0, 0, 0] },
    );
  });

  test('local memory', async () => {
    const ptx = kernel(
      '',
      '.local .align 4 .b8 own[16];\nst.local.u32 [own], 1;\nld.local.u32 %r1, [own+4];',
    );
    await expectFault(
      device,
      ptx,
      { block: 4 },
      {
        kind: 'uninitialised-read',
        at: 'ld.local.u32 %r1, [own+4];',
        thread: [0, 0, 0],
      },
    );
  });

  test('by an atomic operation that reads; an exchange whose old value nobody wants does not', async () => {
    const add = kernel('u64 p', `${address(4)}\nred.global.add.u32 [%rd3], 1;`);
    await expectFault(
      device,
      add,
      { block: 4, args: [new Unwritten(16)] },
      { kind: 'uninitialised-read', thread: [0, 0, 0] },
    );
    const exchange = kernel(
      'u64 p',
      `${address(4)}\natom.global.exch.b32 _, [%rd3], 1;\nld.global.u32 %r5, [%rd3];`,
    );
    await runPtx(device, exchange, { block: 4, args: [new Unwritten(16)] });
  });
});

describe('without checks', () => {
  test('unwritten memory reads as something, and what lies outside all memory is still a fault', async () => {
    const ptx = kernel('u64 p', `${address(4)}\nld.global.f32 %f1, [%rd3];`);
    await runPtx(unchecked, ptx, { block: 64, args: [new Unwritten(256)] });
    await expectFault(
      unchecked,
      ptx,
      { block: 64, args: [0n] },
      { kind: 'out-of-bounds', thread: [0, 0, 0] },
    );
  });

  test('the lane that is outside is named, not one whose memory a kernel wrote without marking it', async () => {
    const ptx = kernel(
      '',
      `.shared .align 4 .b8 tile[200];
mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;
st.shared.u32 [%r2], %r1;`,
    );
    await expectFault(
      unchecked,
      ptx,
      { block: 64 },
      {
        kind: 'out-of-bounds',
        at: 'st.shared.u32 [%r2], %r1;',
        thread: [50, 0, 0],
      },
    );
    // Memory ends soon behind the buffer; what the first lanes read there was not written, which is not checked.
    using fresh = new EmulatorDevice({ cache: false, checks: false });
    const global = kernel('u64 p', `${address(2 ** 24, 2 ** 24)}\nld.global.u32 %r5, [%rd3];`);
    await expectFault(
      fresh,
      global,
      { block: 4, args: [new Unwritten(3 * 2 ** 24 + 64)] },
      {
        kind: 'out-of-bounds',
        at: 'ld.global.u32 %r5, [%rd3];',
        thread: [3, 0, 0],
      },
    );
  });
});
