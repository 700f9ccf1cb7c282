import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { type ExpectedFault, expectFault } from './support/faults.js';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
const lenient = new EmulatorDevice({ cache: false, workers: 1, checks: { racecheck: false } });
afterAll(() => {
  device.close();
  lenient.close();
});

/** Thread %r1 has the word at %r2, its neighbour in the quad that at %r4, a thread of the other warp that at %r5. */
const text = (body: string) =>
  kernel(
    '',
    `.shared .align 16 .b8 tile[4096]; .reg .b32 %n<8>;
mov.u32 %r1, %tid.x; mov.u32 %r9, tile; mad.lo.s32 %r2, %r1, 4, %r9; mad.lo.s32 %r7, %r1, 16, %r9;
xor.b32 %r3, %r1, 1; mad.lo.s32 %r4, %r3, 4, %r9; xor.b32 %r3, %r1, 32; mad.lo.s32 %r5, %r3, 4, %r9;
xor.b32 %r3, %r1, 33; mad.lo.s32 %r8, %r3, 16, %r9; setp.lt.s32 %p1, %r1, 32; setp.eq.s32 %p2, %r1, 5;
and.b32 %r3, %r1, 3; mad.lo.s32 %r6, %r3, 4, %r9; mov.f32 %f1, 0f3f800000;
${body}`,
  );

const OWN = 'st.shared.u32 [%r2], %r1;';
const SYNC = 'bar.sync 0;';
const launch = { block: 64 };

/** A title, the body, and the fault. */
const RACES: readonly [string, string, ExpectedFault][] = [
  [
    'read after write, of another lane',
    `${OWN}\nld.shared.u32 %r10, [%r4];`,
    {
      kind: 'race',
      at: 'ld.shared.u32 %r10, [%r4];',
      says: ['which thread (1, 0, 0) wrote at PTX line 12 (st.shared.u32 [%r2], %r1)', 'of shared memory'],
    },
  ],
  [
    'read after write, of another warp',
    `${OWN}\nld.shared.u32 %r10, [%r5];`,
    { kind: 'uninitialised-read', at: 'ld.shared.u32 %r10, [%r5];' },
  ],
  [
    'write after read, of another warp',
    `${OWN}\n${SYNC}\n@%p1 ld.shared.u32 %r10, [%r5];\n@!%p1 st.shared.u32 [%r2], %r10;`,
    {
      kind: 'race',
      at: '@!%p1 st.shared.u32 [%r2], %r10;',
      thread: [32, 0, 0],
      says: ['thread (0, 0, 0) read'],
    },
  ],
  [
    'write after reads of several lanes',
    `${OWN}\n${SYNC}\nld.shared.u32 %r10, [tile];\n${SYNC}\nld.shared.u32 %r10, [tile+4];\n@%p2 st.shared.u32 [tile+4], %r1;`,
    {
      kind: 'race',
      at: '@%p2 st.shared.u32 [tile+4], %r1;',
      thread: [5, 0, 0],
      says: ['several lanes of warp 0 read at PTX line 16'],
    },
  ],
  [
    'write after reads of several warps',
    `${OWN}\n${SYNC}\nld.shared.u32 %r10, [tile];\nsetp.eq.s32 %p3, %r1, 40;\n@%p3 st.shared.u32 [tile], %r1;`,
    {
      kind: 'race',
      at: '@%p3 st.shared.u32 [tile], %r1;',
      thread: [40, 0, 0],
      says: ['of several warps read'],
    },
  ],
  [
    'write after write, of other values',
    `${OWN}\n${SYNC}\nst.shared.u32 [%r2], 7;\nst.shared.u32 [%r5], %r1;`,
    { kind: 'race', at: 'st.shared.u32 [%r2], 7;', says: ['thread (0, 0, 0) wrote'] },
  ],
  [
    'vectors of words',
    `st.shared.v4.f32 [%r7], {%f1, %f1, %f1, %f1};\n${SYNC}\n@%p1 ld.shared.v4.f32 {%f2, %f3, %f4, %f5}, [%r8];\n@!%p1 st.shared.v2.f32 [%r7+8], {%f1, %f2};`,
    {
      kind: 'race',
      at: '@!%p1 st.shared.v2.f32 [%r7+8], {%f1, %f2};',
      thread: [32, 0, 0],
      says: ['thread (1, 0, 0) read'],
    },
  ],
  [
    'a copy sent to what another warp still reads',
    `${OWN}\n${SYNC}\n@%p1 ld.shared.u32 %r10, [%r5];\n@!%p1 cp.async.ca.shared.global [%r2], [%rd1], 4, 0;\ncp.async.wait_all;`,
    { kind: 'race', at: '@!%p1 cp.async.ca.shared.global [%r2], [%rd1], 4, 0;', thread: [32, 0, 0] },
  ],
  [
    'an atomic on what another thread has written',
    `${OWN}\nred.shared.add.u32 [%r4], 1;`,
    { kind: 'race', at: 'red.shared.add.u32 [%r4], 1;' },
  ],
  [
    'a read of what others add to',
    `${OWN}\n${SYNC}\nred.shared.add.u32 [tile], 1;\nld.shared.u32 %r10, [tile];`,
    { kind: 'race', at: 'ld.shared.u32 %r10, [tile];' },
  ],
  [
    'a barrier of the warp is none of the block',
    `${OWN}\n${SYNC}\nld.shared.u32 %r10, [%r5];\nbar.warp.sync -1;\nst.shared.u32 [%r2], %r10;`,
    { kind: 'race', at: 'st.shared.u32 [%r2], %r10;', thread: [0, 0, 0], says: ['thread (32, 0, 0) read'] },
  ],
  [
    'a generic address',
    `${OWN}\n${SYNC}\nmov.u64 %rd7, tile; cvta.shared.u64 %rd7, %rd7; ld.u32 %r10, [%rd7];\n@%p2 st.u32 [%rd7], %r1;`,
    { kind: 'race', at: '@%p2 st.u32 [%rd7], %r1;', says: ['byte 0 of the 4096 bytes of shared memory'] },
  ],
  [
    'lanes that run apart',
    `${OWN}\n${SYNC}\n@%p2 bra there;\nld.shared.u32 %r10, [tile+20];\nbra.uni done;\nthere: st.shared.u32 [tile+20], 9;\ndone:`,
    { kind: 'race', thread: [5, 0, 0], at: 'st.shared.u32 [tile+20], 9;' },
  ],
];

describe('races in shared memory', () => {
  test.each(RACES)('%s', async (_, body, expected) => {
    await expectFault(device, text(body), launch, expected);
  });

  test('are not looked for where that is off', async () => {
    await runPtx(
      lenient,
      text(`${OWN}\n${SYNC}\nld.shared.u32 %r10, [%r5];\nst.shared.u32 [%r2], %r10;`),
      launch,
    );
    expect(lenient.sanitizers).toMatchObject({ racecheck: false, memcheck: true });
  });
});

/** What orders accesses, or needs no order. */
const CLEAN: readonly [string, string][] = [
  [
    'a barrier of the block',
    `${OWN}\n${SYNC}\nld.shared.u32 %r10, [%r5];\n${SYNC}\nst.shared.u32 [%r2], %r10;`,
  ],
  [
    'one thread alone',
    `${OWN}\nld.shared.u32 %r10, [%r2];\nst.shared.u32 [%r2], 5;\nld.shared.u32 %r10, [%r2];`,
  ],
  [
    'a barrier of the warp, for its lanes',
    `${OWN}\nbar.warp.sync -1;\nld.shared.u32 %r10, [%r4];\nbar.warp.sync -1;\n${OWN}`,
  ],
  ['a shuffle, for its lanes', `${OWN}\nshfl.sync.idx.b32 %r11, %r1, 0, 31, -1;\nld.shared.u32 %r10, [%r4];`],
  ['the same value by all', `st.shared.u32 [tile], 5;\n${SYNC}\nst.shared.u32 [%r6], 5;`],
  [
    'reads of many',
    `${OWN}\n${SYNC}\nld.shared.u32 %r10, [tile];\nld.shared.u32 %r10, [%r4];\nld.shared.u32 %r10, [%r5];`,
  ],
  [
    'atomics among themselves',
    `${OWN}\n${SYNC}\nred.shared.add.u32 [tile], 1;\natom.shared.max.u32 %r10, [tile], 3;`,
  ],
  [
    'a barrier of both warps by number',
    `${OWN}\nbar.sync 3, 64;\nld.shared.u32 %r10, [%r5];\nbar.sync 3, 64;\nst.shared.u32 [%r2], %r10;`,
  ],
  [
    'a flag that is released and acquired',
    `setp.eq.s32 %p3, %r1, 0; setp.eq.s32 %p4, %r1, 32;
@%p2 bra done;
@%p3 st.shared.u32 [tile+128], 0;
@%p4 st.shared.u32 [tile+256], 0;
done: bar.sync 0;
@%p3 st.shared.u32 [tile+512], 77;
@%p3 st.release.cta.shared.u32 [tile+128], 1;
@!%p4 bra end;
again: ld.acquire.cta.shared.u32 %r10, [tile+128]; setp.eq.s32 %p5, %r10, 0; @%p5 bra again;
ld.shared.u32 %r11, [tile+512];
end:`,
  ],
  [
    'words side by side',
    `st.shared.u32 [%r2], 1;\n${SYNC}\nst.shared.v2.u32 [%r7], {%r1, %r1};\nst.shared.v2.u32 [%r7+8], {%r1, %r1};`,
  ],
];

describe('no races', () => {
  test.each(CLEAN)('%s', async (_, body) => {
    await runPtx(device, text(body), launch);
  });
});
