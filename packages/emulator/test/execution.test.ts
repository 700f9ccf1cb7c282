import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { eachThread, store, threads } from './support/each-thread.js';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false });
const counting = new EmulatorDevice({ cache: false, counters: true });
afterAll(() => {
  device.close();
  counting.close();
});

describe('special registers', () => {
  const BLOCKS: [number, number, number][] = [
    [64, 1, 1],
    [8, 4, 2],
    [6, 5, 2],
    [1, 37, 1],
    [4, 4, 4],
    [3, 1, 7],
  ];

  test.each(BLOCKS)('indices in a block of %i×%i×%i', async (x, y, z) => {
    const count = x * y * z;
    const index = await eachThread(
      device,
      `mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; shl.b32 %r2, %r2, 8; shl.b32 %r3, %r3, 16; or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; ${store('%r1')}`,
      '',
      [x, y, z],
    );
    expect(index).toEqual(
      threads((t) => (t % x) | ((Math.floor(t / x) % y) << 8) | (Math.floor(t / (x * y)) << 16), count),
    );
    const warps = await eachThread(
      device,
      `mov.u32 %r1, %laneid; mov.u32 %r2, %warpid; mov.u32 %r3, %nwarpid; shl.b32 %r2, %r2, 8; shl.b32 %r3, %r3, 16; or.b32 %r1, %r1, %r2; or.b32 %r1, %r1, %r3; ${store('%r1')}`,
      '',
      [x, y, z],
    );
    expect(warps).toEqual(threads((t) => (t % 32) | ((t >> 5) << 8) | (Math.ceil(count / 32) << 16), count));
    const extents = await eachThread(
      device,
      `mov.u32 %r1, %ntid.x; mov.u32 %r2, %ntid.y; mov.u32 %r3, %ntid.z; mad.lo.s32 %r1, %r2, 1000, %r1; mad.lo.s32 %r1, %r3, 1000000, %r1; ${store('%r1')}`,
      '',
      [x, y, z],
    );
    expect(extents).toEqual(threads(() => x + 1000 * y + 1_000_000 * z, count));
  });

  test('blocks in a grid of three dimensions, and the multiprocessors that they are on', async () => {
    const [gx, gy, gz] = [3, 4, 5];
    const out = new Uint32Array(gx * gy * gz * 2);
    const ptx = kernel(
      'u64 out',
      `mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z; mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y; mov.u32 %r6, %nctaid.z;
mad.lo.s32 %r7, %r3, %r5, %r2; mad.lo.s32 %r7, %r7, %r4, %r1; mad.lo.s32 %r8, %r6, 100, %r7; mov.u32 %r9, %smid; mov.u32 %r10, %nsmid; setp.lt.u32 %p1, %r9, %r10; selp.u32 %r11, %r10, 0, %p1;
ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r7, 8; add.s64 %rd3, %rd1, %rd2; st.global.v2.u32 [%rd3], {%r8, %r11};`,
    );
    await runPtx(device, ptx, { grid: [gx, gy, gz], block: 1, args: [out] });
    expect([...out]).toEqual(Array.from({ length: out.length }, (_, i) => (i % 2 ? 132 : 500 + (i >> 1))));
  });

  test('a clock that goes on', async () => {
    const later = await eachThread(
      device,
      `mov.u64 %rd1, %clock64; mov.u32 %r1, %clock; mov.u64 %rd2, %clock64; mov.u64 %rd3, %globaltimer; setp.lt.u64 %p1, %rd1, %rd2; setp.lt.and.u64 %p2, %rd2, %rd3, %p1; selp.u32 %r2, 1, 0, %p2; ${store('%r2')}`,
    );
    expect(later).toEqual(threads(() => 1));
  });
});

describe('moves', () => {
  test('64 bits taken apart and put together, halves that nobody wants included', async () => {
    const text = `mov.u32 %r1, %tid.x; mul.wide.u32 %rd1, %r1, 2147483647; mov.b64 {%r2, %r3}, %rd1; mov.b64 {_, %r4}, %rd1; mov.b64 {%r5, _}, %rd1;
mov.b64 %rd2, {%r3, %r2}; shr.u64 %rd3, %rd2, 32; cvt.u32.u64 %r6, %rd3; xor.b32 %r7, %r6, %r3; xor.b32 %r7, %r7, %r4; xor.b32 %r7, %r7, %r5; sub.s32 %r8, %r4, %r3; add.s32 %r7, %r7, %r8;`;
    const low = (t: number) => Number((BigInt(t) * 2147483647n) & 0xffffffffn);
    expect(await eachThread(device, `${text} ${store('%r7')}`)).toEqual(threads((t) => low(t) ^ low(t)));
    expect(await eachThread(device, `${text} ${store('%r3')}`)).toEqual(
      threads((t) => Number((BigInt(t) * 2147483647n) >> 32n)),
    );
  });

  test('a comparison and its negation at once', async () => {
    const text = `mov.u32 %r1, %tid.x; setp.lt.u32 %p1|%p2, %r1, 20; setp.gt.and.u32 %p3|%p4, %r1, 9, %p1; setp.gt.or.u32 _|%p5, %r1, 9, !%p1;
selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 2, 0, %p2; selp.u32 %r4, 4, 0, %p3; selp.u32 %r5, 8, 0, %p4; selp.u32 %r6, 16, 0, %p5; or.b32 %r2, %r2, %r3; or.b32 %r2, %r2, %r4; or.b32 %r2, %r2, %r5; or.b32 %r2, %r2, %r6;`;
    expect(await eachThread(device, `${text} ${store('%r2')}`)).toEqual(
      threads(
        (t) =>
          (t < 20 ? 1 : 2) |
          (t < 20 && t > 9 ? 4 : 0) |
          (t < 20 && t <= 9 ? 8 : 0) |
          (t <= 9 || t >= 20 ? 16 : 0),
      ),
    );
  });

  test('bits of an integer that steps from lane to lane, taken as a float', async () => {
    const text =
      'mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 1065353216; mov.b32 %f1, %r2; add.f32 %f2, %f1, 0f00000000;';
    expect(await eachThread(device, `${text} ${store('%f2', 'f32')}`)).toEqual(
      threads((t) => 1065353216 + t),
    );
    expect(await eachThread(device, `mov.u32 %r1, %tid.x; ${store('%r1', 'f32')}`)).toEqual(
      threads((t) => t),
    );
  });
});

describe('parameters', () => {
  test('of every type', async () => {
    const out = new Float64Array(5);
    const ptx = kernel(
      'u64 out, s32 a, u32 b, f32 c, f64 d, s64 e',
      `ld.param.u64 %rd1, [out]; ld.param.s32 %r1, [a]; ld.param.u32 %r2, [b]; ld.param.f32 %f1, [c]; ld.param.f64 %fd1, [d]; ld.param.s64 %rd2, [e];
cvt.rn.f64.s32 %fd2, %r1; cvt.rn.f64.u32 %fd3, %r2; cvt.f64.f32 %fd4, %f1; cvt.rn.f64.s64 %fd5, %rd2;
st.global.f64 [%rd1], %fd2; st.global.f64 [%rd1+8], %fd3; st.global.f64 [%rd1+16], %fd4; st.global.f64 [%rd1+24], %fd1; st.global.f64 [%rd1+32], %fd5;`,
    );
    const args = [
      out,
      { type: 'i32', value: -5 },
      { type: 'u32', value: 4_000_000_000 },
      { type: 'f32', value: 0.1 },
      { type: 'f64', value: 0.1 },
      { type: 'i64', value: -(2n ** 40n) },
    ] as const;
    await runPtx(device, ptx, { args });
    expect([...out]).toEqual([-5, 4_000_000_000, Math.fround(0.1), 0.1, -(2 ** 40)]);
  });

  test('narrow ones in wide registers, and signed ones in narrow', async () => {
    const out = new BigInt64Array(4);
    const ptx = kernel(
      'u64 out, u64 a',
      'ld.param.u64 %rd1, [out]; ld.param.s32 %rd2, [a+4]; ld.param.u32 %rd3, [a+4]; ld.param.s8 %rs1, [a]; ld.param.s16 %rd4, [a+2]; setp.eq.b16 %p1, %rs1, 65408; selp.u64 %rd5, 1, 0, %p1; st.global.v2.u64 [%rd1], {%rd2, %rd3}; st.global.v2.u64 [%rd1+16], {%rd4, %rd5};',
    );
    await runPtx(device, ptx, { args: [out, 0x89abcdef_9234f580n] });
    expect([...out]).toEqual([0x89abcdefn - 2n ** 32n, 0x89abcdefn, 0x9234n - 65536n, 1n]);
  });

  test('parts of one, and narrow reads of it', async () => {
    const out = new Uint32Array(4);
    const ptx = kernel(
      'u64 out, u64 a',
      'ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [a+4]; ld.param.s8 %r2, [a]; ld.param.u16 %r3, [a+2]; ld.param.s8 %rs1, [a+1]; cvt.u32.u16 %r4, %rs1; st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};',
    );
    await runPtx(device, ptx, { args: [out, 0x89abcdef_1234f580n] });
    expect([...out]).toEqual([0x89abcdef, 0xffffff80, 0x1234, 0xfff5]);
  });
});

describe('divergence', () => {
  test('a loop of which each lane makes its own number of turns, then a barrier and shared memory', async () => {
    const text = `.shared .align 4 .b8 s[256]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 7; mov.u32 %r3, 0; mov.u32 %r4, 0;
LOOP: setp.ge.u32 %p1, %r3, %r2; @%p1 bra DONE; add.s32 %r3, %r3, 1; and.b32 %r5, %r3, 1; setp.eq.s32 %p2, %r5, 0; @%p2 bra LOOP; add.s32 %r4, %r4, %r3; bra LOOP;
DONE: shl.b32 %r6, %r1, 2; mov.u32 %r7, s; add.s32 %r8, %r7, %r6; st.shared.u32 [%r8], %r4; bar.sync 0; xor.b32 %r9, %r6, 4; add.s32 %r9, %r9, %r7; ld.shared.u32 %r10, [%r9];`;
    const odds = (n: number) => Math.ceil(n / 2) ** 2;
    const expected = threads((t) => odds((t ^ 1) & 7));
    expect(await eachThread(device, `${text} ${store('%r10')}`)).toEqual(expected);
    const out = new Uint32Array(64);
    await runPtx(counting, kernel('u64 out', `${text} ${store('%r10')}`), { block: 64, args: [out] });
    expect([...out]).toEqual(expected);
  });

  test.each(['ld.shared.u32', 'ld.volatile.shared.u32'])(
    'lanes that skip the rest of a turn, then a barrier (%s)',
    async (load) => {
      // Where they meet is the loop's header, which also hands over: to count, or because the loop may wait.
      const text = `.shared .align 4 .b8 s[256]; mov.u32 %r1, %tid.x; shl.b32 %r5, %r1, 2; mov.u32 %r6, s; add.s32 %r5, %r5, %r6; st.shared.u32 [%r5], 1;
mov.u32 %r2, 0; mov.u32 %r3, 0; and.b32 %r4, %r1, 1; setp.ne.s32 %p1, %r4, 0;
HEAD: setp.ge.s32 %p2, %r2, 5; @%p2 bra OUT; add.s32 %r2, %r2, 1; ${load} %r8, [%r5]; @!%p1 bra HEAD; add.s32 %r3, %r3, %r8; bra HEAD;
OUT: st.shared.u32 [%r5], %r3; bar.sync 0; xor.b32 %r9, %r1, 1; shl.b32 %r9, %r9, 2; add.s32 %r9, %r9, %r6; ld.shared.u32 %r7, [%r9];`;
      const expected = threads((t) => (t & 1 ? 0 : 5));
      expect(await eachThread(device, `${text} ${store('%r7')}`)).toEqual(expected);
      const out = new Uint32Array(64);
      await runPtx(counting, kernel('u64 out', `${text} ${store('%r7')}`), { block: 64, args: [out] });
      expect([...out]).toEqual(expected);
    },
  );

  test('a value that only one side defines, and one that both do', async () => {
    const text = `mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 30; mov.u32 %r4, 5; @%p1 bra LOW;
mul.lo.s32 %r2, %r1, 3; bra MEET;
LOW: add.s32 %r2, %r1, 100; mov.u32 %r4, 6;
MEET: add.s32 %r3, %r2, %r4;`;
    expect(await eachThread(device, `${text} ${store('%r3')}`)).toEqual(
      threads((t) => (t < 30 ? t + 106 : 3 * t + 5)),
    );
  });

  test('lanes that return inside a loop inside a branch', async () => {
    const text = `mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; mov.u32 %r3, 0; setp.eq.s32 %p1, %r2, 0; @%p1 bra AFTER;
LOOP: add.s32 %r3, %r3, 1; setp.eq.s32 %p2, %r3, %r2; setp.eq.and.s32 %p3, %r2, 3, %p2; @%p3 ret; @%p2 bra AFTER; bra LOOP;
AFTER: add.s32 %r4, %r3, 10;`;
    expect(await eachThread(device, `${text} ${store('%r4')}`)).toEqual(
      threads((t) => ((t & 3) === 3 ? 0 : (t & 3) + 10)),
    );
  });

  test('an infinite loop that some lanes are in has no way out, so the others do not wait for them', async () => {
    // Lanes leave one by one, by a condition that the loop's post-dominator does not show.
    const text = `mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
LOOP: add.s32 %r2, %r2, 1; setp.gt.u32 %p1, %r2, %r1; @%p1 bra STORE; bra LOOP;
STORE: ${store('%r2')} ret;`;
    expect(await eachThread(device, text)).toEqual(threads((t) => t + 1));
  });
});
