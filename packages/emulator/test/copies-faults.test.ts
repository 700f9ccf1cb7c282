import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, test } from 'vitest';
import { type ExpectedFault, expectFault } from './support/faults.js';
import { kernel, Unwritten } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
const unchecked = new EmulatorDevice({ cache: false, workers: 1, checks: false });
afterAll(() => {
  device.close();
  unchecked.close();
});

const THREADS = 64;
const INPUT = 16 * THREADS;

/** Thread `%r1` copies from `%rd3` to `%r2`, 16 bytes a thread, as in `copies.test.ts`. */
const text = (body: string) =>
  kernel(
    'u64 in, u32 n',
    `.shared .align 16 .b8 tile[2048];
mov.u32 %r1, %tid.x; mov.u32 %r9, tile; mad.lo.s32 %r2, %r1, 16, %r9; ld.param.u32 %r8, [n];
ld.param.u64 %rd1, [in]; mul.wide.u32 %rd2, %r1, 16; add.s64 %rd3, %rd1, %rd2; setp.eq.s32 %p1, %r1, 6;
xor.b32 %r3, %r1, 1; mad.lo.s32 %r4, %r3, 16, %r9; and.b32 %r6, %r1, 1; setp.eq.s32 %p3, %r6, 1;
${body}`,
  );

const COPY = 'cp.async.cg.shared.global [%r2], [%rd3], 16;';
const DONE = 'cp.async.wait_all; bar.sync 0;';

/** A title, the body, and the fault; the launch has 64 threads and an input of 1024 bytes. */
const FAULTS: readonly [string, string, ExpectedFault][] = [
  [
    'reading where the own copy is in flight',
    `${COPY}\nld.shared.u32 %r5, [%r2+8];\n${DONE}`,
    { kind: 'copy-in-flight', at: 'ld.shared.u32 %r5, [%r2+8];', thread: [0, 0, 0], says: ['PTX line 11'] },
  ],
  [
    'writing there',
    `${COPY}\nst.shared.u8 [%r2+5], 1;\n${DONE}`,
    { kind: 'copy-in-flight', at: 'st.shared.u8 [%r2+5], 1;', thread: [0, 0, 0] },
  ],
  [
    'an atomic there',
    `${COPY}\nred.shared.add.u32 [%r2+4], 1;\n${DONE}`,
    { kind: 'copy-in-flight', at: 'red.shared.add.u32 [%r2+4], 1;' },
  ],
  [
    'reading there by a generic address',
    `${COPY}\nmov.u64 %rd7, tile; cvta.shared.u64 %rd7, %rd7; ld.u32 %r5, [%rd7];\n${DONE}`,
    { kind: 'copy-in-flight', at: 'ld.u32 %r5, [%rd7];' },
  ],
  [
    'two copies to one place',
    `${COPY}\ncp.async.ca.shared.global [%r2+12], [%rd3], 4;\n${DONE}`,
    {
      kind: 'copy-in-flight',
      at: 'cp.async.ca.shared.global [%r2+12], [%rd3], 4;',
      thread: [0, 0, 0],
      says: ['byte 12 of the 2048 bytes'],
    },
  ],
  [
    'two copies of lanes to one place',
    `cp.async.ca.shared.global [tile], [%rd3], 4;\n${DONE}`,
    { kind: 'copy-in-flight', thread: [1, 0, 0], says: ['that of thread 0'] },
  ],
  [
    'a wait for another group',
    `${COPY}\ncp.async.commit_group; cp.async.commit_group; cp.async.wait_group 2;\nld.shared.u32 %r5, [%r2];\n${DONE}`,
    { kind: 'copy-in-flight', at: 'ld.shared.u32 %r5, [%r2];' },
  ],
  [
    'a wait without a commit',
    `${COPY}\ncp.async.wait_group 0;\nld.shared.u32 %r5, [%r2];\n${DONE}`,
    { kind: 'copy-in-flight', at: 'ld.shared.u32 %r5, [%r2];' },
  ],
  [
    'another lane reads what has landed, with no barrier',
    `${COPY}\ncp.async.wait_all;\nld.shared.u32 %r5, [%r4];`,
    { kind: 'copy-unsynchronised', at: 'ld.shared.u32 %r5, [%r4];' },
  ],
  [
    'another lane reads what landed for its neighbour before it',
    `${COPY}\n@%p3 bra LATE; cp.async.wait_all; bra MEET;\nLATE: cp.async.wait_all;\nMEET: ld.shared.u32 %r5, [%r4];`,
    { kind: 'copy-unsynchronised', at: 'ld.shared.u32 %r5, [%r4];' },
  ],
  [
    'all lanes read what has landed for one of them',
    `@%p1 ${COPY}\ncp.async.wait_all;\nld.shared.u32 %r5, [tile+96];`,
    { kind: 'uninitialised-read', at: 'ld.shared.u32 %r5, [tile+96];' },
  ],
  [
    'another thread writes what has landed, with no barrier',
    `${COPY}\ncp.async.wait_all;\n@%p3 st.shared.u32 [%r4], 1;`,
    { kind: 'copy-unsynchronised', at: '@%p3 st.shared.u32 [%r4], 1;', thread: [1, 0, 0] },
  ],
  [
    "a copy to where another thread's has landed",
    `${COPY}\ncp.async.wait_all;\n@%p3 cp.async.cg.shared.global [%r4], [%rd3], 16;\n${DONE}`,
    { kind: 'copy-unsynchronised', at: '@%p3 cp.async.cg.shared.global [%r4], [%rd3], 16;' },
  ],
  ['exit with a copy in flight', `${COPY}`, { kind: 'copy-never-awaited', at: COPY, thread: [0, 0, 0] }],
  [
    'exit of one lane with a group that it has not waited for',
    `${COPY}\ncp.async.commit_group;\n@%p1 ret;\n${DONE}`,
    { kind: 'copy-never-awaited', at: COPY, thread: [6, 0, 0] },
  ],
  [
    'a source that is not aligned',
    'cp.async.cg.shared.global [%r2], [%rd3+8], 16;',
    { kind: 'misaligned', at: 'cp.async.cg.shared.global [%r2], [%rd3+8], 16;', thread: [0, 0, 0] },
  ],
  [
    'a destination that is not aligned',
    'cp.async.ca.shared.global [%r2+4], [%rd3], 8;',
    { kind: 'misaligned', at: 'cp.async.ca.shared.global [%r2+4], [%rd3], 8;' },
  ],
  [
    'a source past the end',
    `cp.async.ca.shared.global [%r2], [%rd3+16], 16;\n${DONE}`,
    { kind: 'out-of-bounds', thread: [63, 0, 0], says: ['just past the end'] },
  ],
  [
    'part of a source past the end',
    `cp.async.ca.shared.global [%r2], [%rd3+16], 16, 4;\n${DONE}`,
    { kind: 'out-of-bounds', thread: [63, 0, 0] },
  ],
  [
    'a source that nothing wrote',
    'cp.async.ca.shared.global [%r2], [%rd3], 4;',
    { kind: 'uninitialised-read' },
  ],
  [
    'a destination past the end',
    `cp.async.ca.shared.global [%r2+1040], [%rd3], 16;\n${DONE}`,
    { kind: 'out-of-bounds', thread: [63, 0, 0], says: ['byte 2048 of the 2048 bytes of shared memory'] },
  ],
  [
    'a size to read that is too large',
    'cp.async.ca.shared.global [%r2], [%rd3], 4, %r8;',
    { kind: 'copy-size' },
  ],
];

describe('copies that break a rule', () => {
  test.each(FAULTS)('%s', async (_title, body, expected) => {
    const input =
      expected.kind === 'uninitialised-read' && body.startsWith('cp')
        ? new Unwritten(INPUT)
        : new Uint8Array(INPUT);
    await expectFault(device, text(body), { block: THREADS, args: [input, 5] }, expected);
  });

  test('two to one place, and one never waited for, without checks too', async () => {
    const launch = { block: THREADS, args: [new Uint8Array(INPUT), 5] };
    await expectFault(unchecked, text(`${COPY}\n${COPY}`), launch, { kind: 'copy-in-flight' });
    await expectFault(unchecked, text(COPY), launch, { kind: 'copy-never-awaited' });
  });
});
