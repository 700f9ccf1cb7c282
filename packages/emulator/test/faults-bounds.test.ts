import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, test } from 'vitest';
import { address, expectFault, scattered, table } from './support/faults.js';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false });
afterAll(() => device.close());

describe('out of bounds', () => {
  test('a write past the end by one float', async () => {
    const ptx = kernel('u64 p', `${address(4)}\nst.global.f32 [%rd3], 0f3F800000;`);
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Float32Array(63)] },
      {
        kind: 'out-of-bounds',
        at: 'st.global.f32 [%rd3], 0f3F800000;',
        thread: [63, 0, 0],
        says: ['store of 4 bytes', '252 bytes'],
      },
    );
  });

  test('by scattered addresses', async () => {
    const ptx = kernel('u64 p, u64 table', `${scattered(4)}\nst.global.f32 [%rd3], 0f3F800000;`);
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Float32Array(42), table] },
      {
        kind: 'out-of-bounds',
        at: 'st.global.f32 [%rd3], 0f3F800000;',
        thread: [42, 0, 0],
      },
    );
  });

  test('by strided addresses, in a later block', async () => {
    const ptx = kernel('u64 p', `${address(12)}\nst.global.f32 [%rd3], 0f3F800000;`);
    await expectFault(
      device,
      ptx,
      { grid: 3, block: 32, args: [new Float32Array(3 * 75 + 1)] },
      {
        kind: 'out-of-bounds',
        at: 'st.global.f32 [%rd3], 0f3F800000;',
        block: [2, 0, 0],
        thread: [12, 0, 0],
      },
    );
  });

  test('a vector store of which only the last float is outside', async () => {
    const ptx = kernel('u64 p', `${address(16)}\nst.global.v4.f32 [%rd3], {%f1, %f1, %f1, %f1};`);
    await expectFault(
      device,
      ptx,
      { block: 8, args: [new Float32Array(27)] },
      {
        kind: 'out-of-bounds',
        at: 'st.global.v4.f32 [%rd3], {%f1, %f1, %f1, %f1};',
        thread: [6, 0, 0],
        says: ['store of 16 bytes'],
      },
    );
  });

  test('a byte past the end of a buffer that ends inside a word', async () => {
    const ptx = kernel('u64 p', `${address(1)}\nst.global.u8 [%rd3], 1;`);
    await runPtx(device, ptx, { block: 5, args: [new Uint8Array(5)] });
    await expectFault(
      device,
      ptx,
      { block: 6, args: [new Uint8Array(5)] },
      {
        kind: 'out-of-bounds',
        at: 'st.global.u8 [%rd3], 1;',
        thread: [5, 0, 0],
      },
    );
  });

  test('a read before the buffer', async () => {
    const ptx = kernel('u64 p', `${address(4, -4)}\nld.global.f32 %f1, [%rd3];`);
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Float32Array(64)] },
      {
        kind: 'out-of-bounds',
        at: 'ld.global.f32 %f1, [%rd3];',
        thread: [0, 0, 0],
      },
    );
  });

  test('a guarded access names the lane that the guard lets through', async () => {
    const ptx = kernel(
      'u64 p',
      `${address(4)}\nsetp.eq.s32 %p1, %r1, 61;\n@%p1 st.global.f32 [%rd3], 0f3F800000;`,
    );
    await runPtx(device, ptx, { block: 64, args: [new Float32Array(62)] });
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Float32Array(60)] },
      {
        kind: 'out-of-bounds',
        at: '@%p1 st.global.f32 [%rd3], 0f3F800000;',
        thread: [61, 0, 0],
      },
    );
  });

  test('in a branch that only some lanes take', async () => {
    const ptx = kernel(
      'u64 p',
      `${address(4)}\nand.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 0; @%p1 bra OUT;\nst.global.f32 [%rd3], 0f3F800000;\nOUT:`,
    );
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Float32Array(45)] },
      {
        kind: 'out-of-bounds',
        at: 'st.global.f32 [%rd3], 0f3F800000;',
        thread: [45, 0, 0],
      },
    );
  });

  test('an address cut to 32 bits', async () => {
    const ptx = kernel(
      'u64 p',
      `${address(4)}\ncvt.u32.u64 %r5, %rd3; cvt.u64.u32 %rd4, %r5;\nld.global.f32 %f1, [%rd4];`,
    );
    await expectFault(
      device,
      ptx,
      { block: 4, args: [new Float32Array(4)] },
      {
        kind: 'out-of-bounds',
        at: 'ld.global.f32 %f1, [%rd4];',
        thread: [0, 0, 0],
      },
    );
  });

  test('a null pointer', async () => {
    const ptx = kernel('u64 p', `${address(0)}\nld.global.f32 %f1, [%rd3];`);
    await expectFault(
      device,
      ptx,
      { args: [0n] },
      { kind: 'out-of-bounds', at: 'ld.global.f32 %f1, [%rd3];' },
    );
  });

  test('an address near the end of the address space', async () => {
    const ptx = kernel('u64 p', `${address(0)}\nld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];`);
    for (const p of [0x7fff_ffff_ffff_fff0n, -16n, -0x8000_0000_0000_0000n]) {
      await expectFault(device, ptx, { args: [p] }, { kind: 'out-of-bounds' });
    }
  });

  test('shared memory, static and dynamic', async () => {
    const body = (at: string) =>
      `mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, tile; add.s32 %r4, %r3, %r2;\n${at}`;
    const fixed = kernel('', `.shared .align 4 .b8 tile[128];\n${body('st.shared.u32 [%r4], %r1;')}`);
    await runPtx(device, fixed, { block: 32 });
    await expectFault(
      device,
      fixed,
      { block: 33 },
      {
        kind: 'out-of-bounds',
        at: 'st.shared.u32 [%r4], %r1;',
        thread: [32, 0, 0],
        says: ['byte 128', '128 bytes of shared memory'],
      },
    );
    const dynamic = kernel('', body('st.shared.u32 [%r4+-4], %r1;'), '.extern .shared .align 16 .b8 tile[];');
    await expectFault(
      device,
      dynamic,
      { block: 32, sharedBytes: 256 },
      {
        kind: 'out-of-bounds',
        at: 'st.shared.u32 [%r4+-4], %r1;',
        thread: [0, 0, 0],
      },
    );
  });

  test('local memory', async () => {
    const ptx = kernel(
      'u32 n',
      `.local .align 4 .b8 own[16];\nld.param.u32 %r1, [n]; mov.u64 %rd1, own; mul.wide.s32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\nst.local.u32 [%rd3], %r1;`,
    );
    await runPtx(device, ptx, { block: 8, args: [3] });
    for (const n of [4, -1, 1000]) {
      await expectFault(
        device,
        ptx,
        { block: 8, args: [n] },
        {
          kind: 'out-of-bounds',
          at: 'st.local.u32 [%rd3], %r1;',
          thread: [0, 0, 0],
          says: ['16 bytes of local memory'],
        },
      );
    }
  });

  test('a generic address in no window', async () => {
    const ptx = kernel('u64 p', `${address(4)}\nld.f32 %f1, [%rd3];`);
    await runPtx(device, ptx, { block: 4, args: [new Float32Array(4)] });
    await expectFault(
      device,
      ptx,
      { block: 4, args: [0x1000n] },
      {
        kind: 'out-of-bounds',
        at: 'ld.f32 %f1, [%rd3];',
        thread: [0, 0, 0],
      },
    );
  });

  test('a buffer that was closed, by the address it had', async () => {
    const ptx = kernel('u64 p', `${address(4)}\nld.global.f32 %f1, [%rd3];`);
    using stream = device.createStream();
    const buffer = device.allocateSync(64);
    buffer.fill(stream, 0);
    await stream.synchronize();
    const { address: kept } = buffer;
    await runPtx(device, ptx, { block: 4, args: [kept] });
    buffer.close();
    await expectFault(
      device,
      ptx,
      { block: 4, args: [kept] },
      {
        kind: 'out-of-bounds',
        at: 'ld.global.f32 %f1, [%rd3];',
        thread: [0, 0, 0],
      },
    );
  });
});
