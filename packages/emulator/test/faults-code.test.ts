import { ObjectCode } from '@ffma/core';
import { EmulatorDevice, knownInstructions } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { kernel, lineOf, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false });
afterAll(() => device.close());

describe('a barrier in divergent code', () => {
  const odd = 'mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.ne.s32 %p1, %r2, 0;';
  const store =
    'ld.param.u64 %rd1, [p]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1;';

  test('some lanes of a warp wait at one barrier, the others at another', async () => {
    const ptx = kernel('', `${odd}\n@!%p1 bra SKIP;\nbar.sync 0;\nSKIP:\n\nbar.sync  0;`);
    await expectFault(
      device,
      ptx,
      { block: 64 },
      {
        kind: 'barrier-divergence',
        at: 'bar.sync 0;',
        thread: [1, 0, 0],
        says: ['thread (0, 0, 0) goes on without it'],
      },
    );
  });

  test('two barriers in the two branches of one warp', async () => {
    const ptx = kernel(
      '',
      `mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16;\n@%p1 bra LOW;\nbar.sync 0;\nbra MEET;\nLOW:\nbar.sync 0, 32;\nMEET:`,
    );
    await expectFault(
      device,
      ptx,
      { block: 32 },
      {
        kind: 'barrier-divergence',
        at: 'bar.sync 0, 32;',
        thread: [0, 0, 0],
        says: [
          '16 of the block',
          `thread (16, 0, 0) waits at another, PTX line ${lineOf(ptx, 'bar.sync 0;')}`,
        ],
      },
    );
  });

  test('some lanes go past it and do more', async () => {
    const ptx = kernel('u64 p', `${odd}\n@!%p1 bra SKIP;\nbar.sync 0;\nSKIP:\n${store}`);
    await expectFault(
      device,
      ptx,
      { block: 32, args: [new Uint32Array(32)] },
      {
        kind: 'barrier-divergence',
        at: 'bar.sync 0;',
        thread: [1, 0, 0],
      },
    );
  });

  test('a whole warp waits at another barrier for ever', async () => {
    const ptx = kernel(
      '',
      'mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32;\n@%p1 bra LOW;\nbar.sync 1;\nbra MEET;\nLOW:\nbar.sync 0;\nMEET:',
    );
    await expectFault(device, ptx, { grid: 2, block: 64 }, { kind: 'barrier-divergence' });
  });

  test('a barrier of so many threads that never come', async () => {
    const ptx = kernel('', 'bar.sync 3, 128;');
    await expectFault(device, ptx, { block: 64 }, { kind: 'barrier-divergence', at: 'bar.sync 3, 128;' });
  });

  test('warps may take different barrier instructions of one number', async () => {
    const ptx = kernel(
      'u64 p',
      `mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32;\n@%p1 bra LOW;\nbar.sync 0;\nbra MEET;\nLOW:\nbar.sync 0;\nMEET:\n${store}`,
    );
    const out = new Uint32Array(64);
    await runPtx(device, ptx, { block: 64, args: [out] });
    expect([...out]).toEqual([...out.keys()]);
  });

  test.each([1, 2, 5, 30, 33, 63])(
    'threads that have returned are not waited for: %i of 64 are left',
    async (n) => {
      const ptx = kernel(
        'u64 p, u32 n',
        `
.shared .align 4 .b8 tile[256];
mov.u32 %r1, %tid.x; ld.param.u32 %r2, [n]; setp.ge.u32 %p1, %r1, %r2; @%p1 bra OUT;
shl.b32 %r3, %r1, 2; st.shared.u32 [%r3], %r1; bar.sync 0;
sub.s32 %r4, %r2, %r1; sub.s32 %r4, %r4, 1; shl.b32 %r5, %r4, 2; ld.shared.u32 %r6, [%r5]; bar.sync 0;
ld.param.u64 %rd1, [p]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r6;
OUT:`,
      );
      const out = new Uint32Array(64);
      await runPtx(device, ptx, { block: 64, args: [out, n] });
      expect([...out]).toEqual(Array.from({ length: 64 }, (_, t) => (t < n ? n - 1 - t : 0)));
    },
  );

  test('a barrier that is not aligned may be executed in both branches, and apart', async () => {
    const ptx = kernel(
      'u64 p',
      `.shared .align 4 .b8 s[256];\n${odd} shl.b32 %r3, %r1, 2; mov.u32 %r4, s; add.s32 %r3, %r3, %r4; st.shared.u32 [%r3], %r1; @%p1 bra ODD;
barrier.sync 0; bra MEET;
ODD: barrier.sync 0;
MEET: xor.b32 %r5, %r3, 0; xor.b32 %r6, %r1, 1; shl.b32 %r6, %r6, 2; add.s32 %r6, %r6, %r4; ld.shared.u32 %r7, [%r6]; bar.sync 0;
ld.param.u64 %rd1, [p]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r7;`,
    );
    const out = new Uint32Array(64);
    await runPtx(device, ptx, { block: 64, args: [out] });
    expect([...out]).toEqual(Array.from({ length: 64 }, (_, t) => t ^ 1));
    const some = kernel('u64 p', `${odd}\n@!%p1 bra SKIP;\nbarrier.sync 1, 32;\nSKIP:\n${store}`);
    const all = new Uint32Array(64);
    await runPtx(device, some, { block: 64, args: [all] });
    expect([...all]).toEqual([...all.keys()]);
  });

  test('named barriers let their own threads go on, whatever the others do', async () => {
    const ptx = kernel(
      'u64 p',
      `
.shared .align 4 .b8 tile[512];
mov.u32 %r1, %tid.x; shl.b32 %r3, %r1, 2; st.shared.u32 [%r3], %r1;
setp.lt.u32 %p1, %r1, 64; @%p1 bra LOW;
bar.sync 2, 64; xor.b32 %r4, %r1, 63; bra READ;
LOW:
bar.sync 1, 64; xor.b32 %r4, %r1, 63;
READ:
shl.b32 %r5, %r4, 2; ld.shared.u32 %r6, [%r5];
ld.param.u64 %rd1, [p]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r6;`,
    );
    const out = new Uint32Array(128);
    await runPtx(device, ptx, { block: 128, args: [out] });
    expect([...out]).toEqual(Array.from({ length: 128 }, (_, t) => t ^ 63));
  });
});

test('trap names kernel, block, thread and line', async () => {
  const ptx = kernel(
    '',
    'mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; setp.ne.s32 %p1, %r1, 37; @%p1 bra OK;\ntrap;\nOK:',
  );
  await expectFault(device, ptx, { block: 64 }, { kind: 'trap', at: 'trap;', thread: [37, 0, 0] });
  const guarded = kernel('', 'mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 5;\n@%p1 trap;');
  await expectFault(device, guarded, { block: 64 }, { kind: 'trap', at: '@%p1 trap;', thread: [5, 0, 0] });
});

describe('what the emulator does not know is refused at load', () => {
  async function refusal(ptx: string): Promise<{ code: string; message: string }> {
    return device.load(ObjectCode.fromPtx(ptx, { name: 'some.ptx' })).then(
      () => expect.unreachable('It was loaded.'),
      (error) => error,
    );
  }

  test.each([
    'add.rz.s32 %r1, %r2, %r3;',
    'fma.rn.f32x2 %rd1, %rd2, %rd3, %rd4;',
    'mul.sat.f64 %fd1, %fd2, %fd3;',
    'sqrt.f32 %f1, %f2;',
    'cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;',
    'ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];',
    'redux.sync.min.f32 %f1, %f2, -1;',
    'ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%rd1];',
    'bar.red.xor.pred %p1, 0, %p2;',
    'brkpt;',
  ])('%s', async (text) => {
    const ptx = kernel('', `\n${text}`);
    const error = await refusal(ptx);
    expect(error.code).toBe('FFMA_COMPILE');
    expect(error.message).toContain(`line ${lineOf(ptx, text)}`);
    expect(error.message).toContain(text.replace(';', '').split(' ')[0]);
    expect(error.message).toContain('kernel k');
  });

  test('a special register', async () => {
    const ptx = kernel('', 'mov.u32 %r1, %gridid;');
    const error = await refusal(ptx);
    expect(error).toMatchObject({ code: 'FFMA_COMPILE' });
    expect(error.message).toContain(`line ${lineOf(ptx, 'mov.u32 %r1')}`);
    expect(error.message).toContain('%gridid');
  });

  test('a parameter that is read through a register', async () => {
    for (const text of ['mov.b64 %rd1, q;', 'ld.param.u32 %r1, [%rd1];']) {
      const ptx = kernel('u64 q', `\n${text}`);
      const error = await refusal(ptx);
      expect(error, text).toMatchObject({ code: 'FFMA_COMPILE' });
      expect(error.message).toContain(`line ${lineOf(ptx, text)}`);
    }
  });

  test('machine code', async () => {
    await expect(
      device.load(ObjectCode.fromCubin(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46))),
    ).rejects.toMatchObject({
      code: 'FFMA_UNSUPPORTED',
    });
  });

  test('a newer target, and 32-bit addresses', async () => {
    const ptx = kernel('', '');
    await expect(device.load(ObjectCode.fromPtx(ptx.replace('sm_80', 'sm_100')))).rejects.toMatchObject({
      code: 'FFMA_UNSUPPORTED',
      message: expect.stringContaining('sm_100'),
    });
    await expect(
      device.load(ObjectCode.fromPtx(ptx.replace('address_size 64', 'address_size 32'))),
    ).rejects.toMatchObject({
      code: 'FFMA_UNSUPPORTED',
    });
    await device.load(ObjectCode.fromPtx(ptx.replace('sm_80', 'sm_90a')));
  });

  test('nothing of the device is spent on it', async () => {
    const { free } = device.memInfo();
    const ptx = kernel('', 'ex2.approx.f32 %f1, %f2;', '.global .align 4 .b8 table[4096];');
    await refusal(ptx);
    expect(device.memInfo().free).toBe(free);
  });
});

test('the instructions that are known have names', () => {
  expect(knownInstructions()).toEqual(expect.arrayContaining(['fma', 'ld', 'st', 'atom', 'bar', 'setp']));
});
