import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { eachThread, store, threads } from './support/each-thread.js';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false });
afterAll(() => device.close());

describe('addresses', () => {
  test('variables that lie at odd places, masked and shifted', async () => {
    // `b` is at byte 4: nothing may be concluded from a greater alignment than that.
    const variables = '.shared .align 4 .b8 a[4];\n.shared .align 4 .b8 b[1024];';
    const masked = `mov.u32 %r1, %tid.x; mov.u32 %r2, b; shl.b32 %r3, %r1, 2; add.s32 %r4, %r2, %r3; mov.u32 %r9, a; sub.s32 %r4, %r4, %r9;`;
    expect(await eachThread(device, `${masked} and.b32 %r5, %r4, -16; ${store('%r5')}`, variables)).toEqual(
      threads((t) => (4 + 4 * t) & -16),
    );
    expect(await eachThread(device, `${masked} shr.u32 %r5, %r4, 4; ${store('%r5')}`, variables)).toEqual(
      threads((t) => (4 + 4 * t) >> 4),
    );
    const direct = `mov.u32 %r1, %tid.x; mov.u32 %r9, a; mov.u32 %r2, b; and.b32 %r6, %r1, 3; shl.b32 %r3, %r6, 2; add.s32 %r4, %r2, %r3;`;
    expect(await eachThread(device, `${direct} and.b32 %r5, %r4, 16; ${store('%r5')}`, variables)).toEqual(
      threads((t) => (4 + 4 * (t & 3)) & 16),
    );
    expect(await eachThread(device, `${direct} or.b32 %r5, %r4, 8; ${store('%r5')}`, variables)).toEqual(
      threads((t) => (4 + 4 * (t & 3)) | 8),
    );
  });

  test('a place inside a variable of the module is aligned no better than its offset', async () => {
    const text = `mov.u32 %r1, %tid.x; mov.u64 %rd1, table+8; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; mov.u64 %rd4, table;`;
    const variables = '.global .align 4 .b8 table[512];';
    const low = `${text} and.b64 %rd5, %rd3, -16; sub.s64 %rd6, %rd5, %rd4; cvt.u32.u64 %r2, %rd6;`;
    expect(await eachThread(device, `${low} ${store('%r2')}`, variables)).toEqual(
      threads((t) => (8 + 4 * t) & -16),
    );
    const high = `${text} shr.u64 %rd5, %rd3, 4; shr.u64 %rd6, %rd4, 4; sub.s64 %rd6, %rd5, %rd6; cvt.u32.u64 %r2, %rd6;`;
    expect(await eachThread(device, `${high} ${store('%r2')}`, variables)).toEqual(
      threads((t) => (8 + 4 * t) >> 4),
    );
  });

  test('one generic address of local memory is a place of its own in each thread', async () => {
    const text = `.local .align 8 .b8 own[32]; mov.u32 %r1, %tid.x; mul.lo.s32 %r2, %r1, 7;
mov.u64 %rd1, own; cvta.local.u64 %rd2, %rd1; st.u32 [%rd2+8], %r2; ld.u32 %r3, [%rd2+8]; ld.local.u32 %r4, [own+8]; add.s32 %r5, %r3, %r4; cvta.to.local.u64 %rd3, %rd2; ld.local.u32 %r6, [%rd3+8]; add.s32 %r5, %r5, %r6;`;
    expect(await eachThread(device, `${text} ${store('%r5')}`)).toEqual(threads((t) => 21 * t));
  });

  test('generic addresses of shared memory and back', async () => {
    const text = `mov.u32 %r1, %tid.x; mov.u64 %rd1, s; cvta.shared.u64 %rd2, %rd1; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd2, %rd3; st.u32 [%rd4], %r1; bar.sync 0;
xor.b32 %r2, %r1, 63; mul.wide.u32 %rd5, %r2, 4; add.s64 %rd6, %rd2, %rd5; cvta.to.shared.u64 %rd7, %rd6; cvt.u32.u64 %r3, %rd7; ld.shared.u32 %r4, [%r3]; ld.u32 %r5, [%rd6]; ld.u32 %r6, [%rd2+20]; add.s32 %r7, %r4, %r5; add.s32 %r7, %r7, %r6;`;
    expect(
      await eachThread(
        device,
        `${text} ${store('%r7')}`,
        '.shared .align 16 .b8 pad[16];\n.shared .align 16 .b8 s[256];',
      ),
    ).toEqual(threads((t) => 2 * (t ^ 63) + 5));
  });

  test('variables of the module, with what they start with', async () => {
    const variables =
      '.const .align 4 .b32 table[4] = {10, 20, 30, 40};\n.global .align 4 .u32 count = 7;\n.global .align 8 .b8 zeros[64];';
    const text = `mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; mul.wide.u32 %rd1, %r2, 4; mov.u64 %rd2, table; add.s64 %rd3, %rd2, %rd1; ld.const.u32 %r3, [%rd3]; ld.const.u32 %r4, [table+4]; ld.global.u32 %r5, [count]; ld.global.u32 %r6, [zeros+60];
mov.u64 %rd4, table+8; ld.global.u32 %r8, [%rd4]; add.s32 %r7, %r3, %r4; add.s32 %r7, %r7, %r5; add.s32 %r7, %r7, %r6; add.s32 %r7, %r7, %r8;`;
    expect(await eachThread(device, `${text} ${store('%r7')}`, variables)).toEqual(
      threads((t) => 10 * ((t & 3) + 1) + 20 + 7 + 30),
    );
  });

  test('a kernel is charged only for the shared memory that it names', async () => {
    const text = `${kernel('', 'st.shared.u32 [small], 1;', '.shared .align 4 .b8 small[64];\n.shared .align 4 .b8 large[4096];')}
.visible .entry big() {\nst.shared.u32 [large+4092], 1;\nret;\n}\n`;
    using object = await device.load((await import('@ffma/core')).ObjectCode.fromPtx(text));
    expect(object.kernel('k').attributes.sharedBytes).toBe(64);
    expect(object.kernel('big').attributes.sharedBytes).toBe(4096);
  });
});

describe('registers that are read and written at once', () => {
  const image = `.shared .align 16 .b8 s[1024]; mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 4; add.s32 %r4, %r2, %r3;
mul.lo.s32 %r5, %r1, 10; add.s32 %r6, %r5, 1; add.s32 %r7, %r5, 2; add.s32 %r8, %r5, 3; st.shared.v4.u32 [%r4], {%r5, %r6, %r7, %r8}; bar.sync 0;`;
  const sum =
    'shl.b32 %r11, %r11, 1; mad.lo.s32 %r11, %r12, 3, %r11; mad.lo.s32 %r11, %r13, 5, %r11; mad.lo.s32 %r11, %r10, 7, %r11;';
  const expected = (e: number) => 7 * 10 * e + 2 * (10 * e + 1) + 3 * (10 * e + 2) + 5 * (10 * e + 3);
  const load = 'ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r10];';

  test.each([
    ['steady', 'mov.u32 %r10, %r4;', (t: number) => t],
    [
      'scattered',
      'mul.lo.s32 %r10, %r1, 37; rem.u32 %r10, %r10, 64; shl.b32 %r10, %r10, 4; add.s32 %r10, %r10, %r2;',
      (t: number) => (t * 37) % 64,
    ],
    ['shared', 'add.s32 %r10, %r2, 80;', () => 5],
  ])('the address of a vector load is one of its elements: %s', async (_title, address, element) => {
    expect(await eachThread(device, `${image} ${address} ${load} ${sum} ${store('%r11')}`)).toEqual(
      threads((t) => expected(element(t))),
    );
    const apart = `${image} ${address} and.b32 %r20, %r1, 1; setp.eq.s32 %p1, %r20, 0; @%p1 bra EVEN; ${load} bra MEET; EVEN: ${load} MEET: ${sum} ${store('%r11')}`;
    expect(await eachThread(device, apart)).toEqual(threads((t) => expected(element(t))));
    const guarded = `${image} ${address} and.b32 %r20, %r1, 1; setp.eq.s32 %p1, %r20, 0; @%p1 ${load} @!%p1 ${load} ${sum} ${store('%r11')}`;
    expect(await eachThread(device, guarded)).toEqual(threads((t) => expected(element(t))));
  });

  test('a parameter that only some lanes take over', async () => {
    const out = new Uint32Array(64);
    const text = `mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; setp.eq.s32 %p1, %r2, 2; mov.u32 %r3, %r1; @%p1 ld.param.u32 %r3, [n]; setp.eq.s32 %p2, %r2, 9; @!%p2 ld.param.u32 %r4, [n]; add.s32 %r3, %r3, %r4;`;
    await runPtx(device, kernel('u64 out, u32 n', `${text} ${store('%r3')}`), {
      block: 64,
      args: [out, 1000],
    });
    expect([...out]).toEqual(threads((t) => ((t & 3) === 2 ? 2000 : 1000 + t)));
  });

  test('a shared value that changes between two uses of its four copies', async () => {
    const text = `mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; add.s32 %r2, %r2, 7; xor.b32 %r3, %r1, %r2; add.s32 %r2, %r2, 1; xor.b32 %r4, %r1, %r2; setp.ne.s32 %p1, %r2, 0; @%p1 add.s32 %r2, %r2, 1; xor.b32 %r5, %r1, %r2; shl.b32 %r4, %r4, 8; shl.b32 %r5, %r5, 16; or.b32 %r3, %r3, %r4; or.b32 %r3, %r3, %r5;`;
    expect(await eachThread(device, `${text} ${store('%r3')}`)).toEqual(
      threads((t) => (t ^ 7) | ((t ^ 8) << 8) | ((t ^ 9) << 16)),
    );
  });
});
