import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { kernel, runPtx } from './support/run-ptx.js';

const devices = [
  new EmulatorDevice({ cache: false, workers: 2 }),
  new EmulatorDevice({ cache: false, workers: 1, counters: true }),
  new EmulatorDevice({ cache: false, workers: 1, schedule: { order: 'adversarial' } }),
];
afterAll(() => {
  for (const device of devices) device.close();
});

const says = ['A loop never ends', 'its registers, and the memory that it reads, do not change any more'];

describe.each(devices)('$name, counters $counters', (device) => {
  test('a loop with no way out', async () => {
    const ptx = kernel('u64 p', 'mov.u32 %r1, %tid.x;\nLOOP: add.s32 %r2, %r1, 1;\nbra LOOP;');
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Uint32Array(1)] },
      {
        kind: 'endless-loop',
        at: 'bra LOOP;',
        says,
      },
    );
  });

  test('a loop that waits for memory by plain loads, of one block', async () => {
    const ptx = kernel(
      'u64 flag',
      'ld.param.u64 %rd1, [flag]; mov.u32 %r1, %ctaid.x; setp.ne.s32 %p1, %r1, 2; @%p1 ret;\nLOOP:\nld.global.u32 %r2, [%rd1];\nsetp.eq.s32 %p2, %r2, 0; @%p2 bra LOOP;',
    );
    await expectFault(
      device,
      ptx,
      { grid: 5, block: 32, args: [new Uint32Array(1)] },
      {
        kind: 'endless-loop',
        at: 'ld.global.u32 %r2, [%rd1];',
        block: [2, 0, 0],
        thread: [0, 0, 0],
        says,
      },
    );
  });

  test('a step of nothing, by one lane alone, while the others wait at a barrier', async () => {
    const ptx = kernel(
      'u64 p, u32 step',
      'mov.u32 %r1, %tid.x; ld.param.u32 %r2, [step]; mov.u32 %r3, 0; setp.ne.s32 %p1, %r1, 37; @%p1 bra MEET;\nLOOP: add.s32 %r3, %r3, %r2; setp.lt.s32 %p2, %r3, 100;\n@%p2 bra LOOP;\nMEET: bar.sync 0;',
    );
    await runPtx(device, ptx, { block: 64, args: [new Uint32Array(1), 1] });
    await expectFault(
      device,
      ptx,
      { block: 64, args: [new Uint32Array(1), 0] },
      {
        kind: 'endless-loop',
        thread: [37, 0, 0],
        at: '@%p2 bra LOOP;',
        says,
      },
    );
  });

  test('loops that take long end', async () => {
    const ptx = kernel(
      'u64 out, u32 turns',
      `ld.param.u64 %rd1, [out]; ld.param.u32 %r2, [turns]; mov.u32 %r1, %tid.x; mov.u32 %r3, 0; mov.u32 %r4, 0;
LOOP: add.s32 %r4, %r4, %r3; add.s32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, %r2; @%p2 bra LOOP;
add.s32 %r4, %r4, %r1; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r4;`,
    );
    const out = new Uint32Array(8);
    const turns = 5_000_000;
    await runPtx(device, ptx, { block: 8, args: [out, turns] });
    const sum = Number(BigInt.asUintN(32, (BigInt(turns) * BigInt(turns - 1)) / 2n));
    expect([...out]).toEqual(Array.from({ length: 8 }, (_, t) => (sum + t) >>> 0));
  });
});

test('without checks, a wait by volatile loads is still seen', async () => {
  await using device = new EmulatorDevice({ cache: false, workers: 2, checks: false });
  const ptx = kernel(
    'u64 flag',
    'ld.param.u64 %rd1, [flag];\nLOOP: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.s32 %p2, %r2, 0; @%p2 bra LOOP;',
  );
  const error = await runPtx(device, ptx, { grid: 3, block: 32, args: [new Uint32Array(1)] }).catch(
    (e: unknown) => e,
  );
  expect(error).toMatchObject({ kind: 'deadlock' });
});
