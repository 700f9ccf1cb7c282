import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, expect, test } from 'vitest';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
afterAll(() => device.close());

// Each thread its own value, and a value that all share: vectors and scalars are translated apart.
test.each([
  ['s8', -128],
  ['u8', 128],
  ['s16', -32640],
  ['u16', 32896],
])('cvt.%s fills the 32 and 64 bits of a register', async (type, expected) => {
  const ptx = kernel(
    'u64 out',
    `ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 16; add.s64 %rd3, %rd1, %rd2;
add.u32 %r2, %r1, 32896; mov.u32 %r3, 32896; cvt.${type}.u32 %r4, %r2; cvt.${type}.u32 %rd4, %r2; cvt.${type}.u32 %r5, %r3;
st.global.u64 [%rd3], %rd4; st.global.u32 [%rd3+8], %r4; st.global.u32 [%rd3+12], %r5;`,
  );
  const out = new BigInt64Array(16);
  await runPtx(device, ptx, { block: 8, args: [out] });
  const words = new Int32Array(out.buffer);
  for (let t = 0; t < 8; t++) {
    expect([out[2 * t], words[4 * t + 2], words[4 * t + 3]]).toEqual([
      BigInt(expected + t),
      expected + t,
      expected,
    ]);
  }
});

test('a barrier of one warp lets each warp go by itself, in turn', async () => {
  const ptx = kernel(
    'u64 out',
    `ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u32 %r2, 0;
AGAIN: bar.sync 1, 32; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 3; @%p1 bra AGAIN; bar.sync 0; st.global.u32 [%rd3], %r2;`,
  );
  const out = new Uint32Array(96);
  await runPtx(device, ptx, { block: 96, args: [out] });
  expect([...out]).toEqual(new Array(96).fill(3));
});
