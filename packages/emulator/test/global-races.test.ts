import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { type ExpectedFault, expectFault } from './support/faults.js';
import { kernel, type PtxArg, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 2, checks: { racecheck: 'global' } });
const usual = new EmulatorDevice({ cache: false, workers: 1 });
afterAll(() => {
  device.close();
  usual.close();
});

/** 64 threads a block: %r1 thread, %r2 block, %rd1 flag, %rd2 the thread's own word of data, %rd3 that of out. */
const text = (body: string) =>
  kernel(
    'u64 flag, u64 data, u64 out',
    `ld.param.u64 %rd1, [flag]; ld.param.u64 %rd2, [data]; ld.param.u64 %rd3, [out];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd4, %r1, 4; add.s64 %rd2, %rd2, %rd4; add.s64 %rd3, %rd3, %rd4;
setp.eq.s32 %p1, %r2, 0; setp.eq.s32 %p2, %r1, 0; add.s32 %r3, %r1, 1000; mov.f32 %f1, 0f3f800000;
${body}`,
  );

/** Block 1 writes data, then its thread 0 raises the flag; block 0 waits for that, then all of it read. */
interface Parts {
  readonly before?: string;
  readonly fence?: string;
  readonly raise?: string;
  readonly wait?: string;
  readonly after?: string;
  readonly meet?: string;
}
const handOver = ({
  before = 'bar.sync 0;',
  fence = 'fence.acq_rel.gpu;',
  raise = '@%p2 st.relaxed.gpu.global.u32 [%rd1], 1;',
  wait = 'ld.acquire.gpu.global.u32 %r4, [%rd1];',
  after = '',
  meet = 'bar.sync 0;',
}: Parts = {}) =>
  text(`@%p1 bra READ;
st.global.u32 [%rd2], %r3;
${before}
${fence}
${raise}
ret;
READ: @!%p2 bra MEET;
WAIT: ${wait}
setp.eq.s32 %p4, %r4, 0; @%p4 bra WAIT;
${after}
MEET: ${meet}
ld.global.u32 %r5, [%rd2];
st.global.u32 [%rd3], %r5;`);

const RELEASE = '@%p2 st.release.gpu.global.u32 [%rd1], 1;';
const VOLATILE = 'ld.volatile.global.u32 %r4, [%rd1];';
const args = (): PtxArg[] => [new Uint32Array(1), new Uint32Array(64), new Uint32Array(64)];
const launch = () => ({ grid: 2, block: 64, args: args() });

const READ = 'ld.global.u32 %r5, [%rd2];';
const lost = (thread: readonly [number, number, number], ...says: string[]): ExpectedFault => ({
  kind: 'race',
  at: READ,
  block: [0, 0, 0],
  thread,
  says: ['block (1, 0, 0), thread', 'wrote at PTX line 11 (st.global.u32 [%rd2], %r3)', ...says],
});

describe('what puts accesses of two blocks in order', () => {
  test.each<[string, Parts]>([
    ['a fence and a strong store, seen by an acquiring load', {}],
    ['a store that releases, seen by an acquiring load', { fence: '', raise: RELEASE }],
    [
      'strong accesses with fences on both sides',
      { fence: 'membar.gl;', wait: VOLATILE, after: 'fence.acq_rel.gpu;' },
    ],
    ['a fence of the reader after its barrier', { wait: VOLATILE, meet: 'bar.sync 0; membar.gl;' }],
    ['fences before the barrier of the writers', { before: 'membar.gl;', fence: 'bar.sync 0;' }],
    ['an atomic that releases', { fence: '', raise: '@%p2 red.release.gpu.global.add.u32 [%rd1], 1;' }],
    ['an atomic that acquires', { wait: 'atom.acquire.gpu.global.or.b32 %r4, [%rd1], 0;' }],
    [
      'several that count up, each with a fence',
      { raise: '@%p2 red.global.add.u32 [%rd1], 1; @%p2 red.global.add.u32 [%rd1], 1;' },
    ],
  ])('%s', async (_, parts) => {
    const { args: passed, ...config } = launch();
    await runPtx(device, handOver(parts), { ...config, args: passed });
    expect([...(passed[2] as Uint32Array)]).toEqual(Array.from({ length: 64 }, (_, t) => 1000 + t));
  });

  test('atomics do not race with each other', async () => {
    const ptx = text('red.global.add.f32 [%rd2], %f1; atom.global.add.u32 %r4, [%rd1], 1;');
    await runPtx(device, ptx, { ...launch(), grid: 5 });
  });

  test('blocks that read alike, and words that are each one block’s', async () => {
    const ptx = text(`ld.global.u32 %r4, [%rd2]; mad.lo.u32 %r5, %r2, 64, %r1; mul.wide.u32 %rd5, %r5, 4;
ld.param.u64 %rd6, [out]; add.s64 %rd6, %rd6, %rd5; st.global.u32 [%rd6], %r4; ld.global.u32 %r4, [%rd6];`);
    await runPtx(device, ptx, { grid: 3, block: 64, args: [0n, new Uint32Array(64), new Uint32Array(192)] });
  });
});

describe('races', () => {
  test.each<[string, Parts, ExpectedFault]>([
    ['a flag without a fence', { fence: '' }, lost([0, 0, 0])],
    ['a fence for the block only', { fence: 'fence.acq_rel.cta;' }, lost([0, 0, 0])],
    [
      'a flag that is for the block only',
      { fence: '', raise: '@%p2 st.release.cta.global.u32 [%rd1], 1;' },
      {
        kind: 'race',
        at: '@%p2 st.release.cta.global.u32 [%rd1], 1;',
        block: [1, 0, 0],
        says: ['block (0, 0, 0), thread (0, 0, 0) read', 'ld.acquire.gpu.global.u32'],
      },
    ],
    ['a wait that acquires nothing', { wait: VOLATILE }, lost([0, 0, 0])],
    [
      'no barrier before the flag',
      { before: '', fence: '', raise: RELEASE },
      lost([4, 0, 0], 'thread (4, 0, 0)'),
    ],
    [
      'no barrier after the wait',
      { meet: '' },
      {
        kind: 'race',
        at: 'st.global.u32 [%rd2], %r3;',
        block: [1, 0, 0],
        thread: [4, 0, 0],
        says: ['block (0, 0, 0), thread (4, 0, 0) read at PTX line 21'],
      },
    ],
    [
      'no wait',
      { wait: 'mov.u32 %r4, 1;' },
      {
        kind: 'race',
        block: [1, 0, 0],
        at: 'st.global.u32 [%rd2], %r3;',
        says: ['block (0, 0, 0), thread (0, 0, 0) read at PTX line 21'],
      },
    ],
  ])('%s', async (_, parts, expected) => {
    const error = await expectFault(device, handOver(parts), launch(), expected);
    expect(error.message).toContain('and nothing orders the two');
    expect(error.place.other?.block).toBeDefined();
  });

  test('sums without atomics, named by buffer and byte', async () => {
    const ptx = text('ld.global.f32 %f2, [%rd2]; add.f32 %f2, %f2, %f1; st.global.f32 [%rd2], %f2;');
    await expectFault(device, ptx, launch(), {
      kind: 'race',
      block: [1, 0, 0],
      thread: [0, 0, 0],
      at: 'ld.global.f32 %f2, [%rd2];',
      says: [
        'Race: load of 4 bytes',
        'byte 0 of argument 2 (256 bytes)',
        'block (0, 0, 0), thread (0, 0, 0) wrote',
      ],
    });
  });

  test('an atomic and a plain store', async () => {
    const ptx = text('@%p1 st.global.u32 [%rd2], 0;\n@!%p1 red.global.add.u32 [%rd2], 1;');
    await expectFault(device, ptx, launch(), {
      kind: 'race',
      block: [1, 0, 0],
      at: '@!%p1 red.global.add.u32 [%rd2], 1;',
    });
  });

  test('what a copy reads, by an address that says no space', async () => {
    const ptx =
      text(`.shared .align 16 .b8 tile[256]; mul.lo.u32 %r6, %r1, 4; mov.u32 %r7, tile; add.u32 %r7, %r7, %r6;
@!%p1 st.u32 [%rd2], %r1;
@%p1 cp.async.ca.shared.global [%r7], [%rd2], 4;
cp.async.wait_all;`);
    await expectFault(device, ptx, launch(), {
      kind: 'race',
      block: [1, 0, 0],
      at: '@!%p1 st.u32 [%rd2], %r1;',
      says: ['block (0, 0, 0), thread (0, 0, 0) read', 'cp.async'],
    });
  });

  test('are not looked for unless asked', async () => {
    await runPtx(usual, handOver({ fence: '' }), launch());
  });
});
