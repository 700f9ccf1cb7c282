import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { bulkKernels } from './support/golden-bulk.js';
import { type GoldenKernel, type GoldenMap, THREADS } from './support/golden-kernel.js';
import { runGolden } from './support/run-golden.js';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
const plain = new EmulatorDevice({ cache: false, workers: 2, checks: false });
afterAll(() => {
  device.close();
  plain.close();
});

/** By hand: what each of a thread's values is. */
const SAYS: Readonly<Record<string, readonly number[]>> = {
  // Not over, the one before is; 3 expected; not over; 2 expected; over; the next is not; 3 expected by the one that
  // drops; over; 2 expected; over.
  'mbarrier phases': [0, 1, 3, 0, 2, 1, 0, 3, 1, 2, 1],
  'mbarrier transactions': [0, 0, 0, 1, 0, 1],
};

/** Where word `at` of a tile comes from: a word of the matrix, or undefined outside of it. */
function sourceOf(at: number, { tile, swizzle, cols, rows }: GoldenMap, row: number, col: number) {
  const bits = { none: 0, '32B': 1, '64B': 2, '128B': 3 }[swizzle];
  const plain = at ^ (((at >> 5) & ((1 << bits) - 1)) << 2);
  const [r, c] = [row + Math.floor(plain / tile[1]), col + (plain % tile[1])];
  return r >= 0 && r < rows && c >= 0 && c < cols ? r * cols + c : undefined;
}

/** What a kernel that is no mbarrier's alone must leave. */
function expectedOf({ name, input, outputs, map }: GoldenKernel): BigUint64Array {
  const out = new BigUint64Array(outputs * THREADS);
  const words = new Uint32Array(input.buffer);
  const left = new Uint32Array(out.buffer);
  if (map === undefined) {
    if (name.endsWith('global memory')) return input;
    for (let thread = 0; thread < THREADS; thread++)
      for (const half of [0, 1]) out[half * THREADS + thread] = input[2 * thread + half]!;
    return out;
  }
  for (let block = 0; block < 4; block++) {
    const elements = map.tile[0] * map.tile[1];
    for (let at = 0; at < elements; at++) {
      if (map.of === 'in') {
        const from = sourceOf(at, map, 5 * block - 3, 20 * block - 4);
        const thread = 64 * block + (at >> 2);
        const to = 2 * (((at >> 1) & 1) * THREADS + thread) + (at & 1);
        left[to] = from === undefined ? 0 : words[from]!;
      } else {
        const to = sourceOf(at, map, -2, map.tile[1] * block);
        if (to !== undefined) left[to] = words[128 * block + at]!;
      }
    }
  }
  return out;
}

describe.each([
  ['with checks', device],
  ['without', plain],
])('%s', (_, on) => {
  test.each(bulkKernels.map((one) => [one.name, one] as const))('%s', async (name, one) => {
    const out = await runGolden(on, one);
    const says = SAYS[name];
    if (says === undefined) expect(out).toEqual(expectedOf(one));
    else
      for (const [i, value] of says.entries())
        expect([...out.slice(i * THREADS, (i + 1) * THREADS)], `value ${i}`).toEqual(
          Array(THREADS).fill(BigInt(value)),
        );
  });
});

/** A block of 64 threads: %r0 thread, %rd1 buffer, %r4 mbarrier that thread 0 makes (%p1), %r5 1024 bytes. */
const text = (body: string, fence = 'fence.mbarrier_init.release.cluster;') =>
  kernel(
    'u64 p, u64 out',
    `.shared .align 8 .b64 bar; .shared .align 128 .b8 tile[1024]; mov.u32 %r0, %tid.x; ld.param.u64 %rd1, [p]; mov.u32 %r4, bar; mov.u32 %r5, tile;
setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared::cta.b64 [%r4], 1; @%p1 ${fence} bar.sync 0;
${body}`,
  ).replace('.target sm_80', '.target sm_90');
const COPY = '@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes';
const EXPECT = '@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd7, [%r4], 512;';
const launch = () => ({ block: 64, args: [new Uint32Array(128).fill(7), new Uint32Array(128)] });

describe('what is refused', () => {
  test.each([
    [
      'a size that is no multiple of 16',
      `${COPY} [%r5], [%rd1], 24, [%r4];`,
      'bulk-copy',
      'the size must be a multiple of 16, but is 24',
    ],
    [
      'a misaligned place in shared memory',
      `${COPY} [%r5+8], [%rd1], 512, [%r4];`,
      'bulk-copy',
      'multiple of 16',
    ],
    [
      'a misaligned source',
      `${COPY} [%r5], [%rd1+4], 256, [%r4];`,
      'bulk-copy',
      'the address in global memory',
    ],
    [
      'a source past the end of its buffer',
      `${COPY} [%r5], [%rd1+16], 512, [%r4];`,
      'out-of-bounds',
      'Out-of-bounds load of 4 bytes',
    ],
    [
      'a place past the end of shared memory',
      `${COPY} [%r5+768], [%rd1], 512, [%r4];`,
      'bulk-copy',
      '512 bytes from byte',
    ],
    [
      'a copy onto an mbarrier',
      `${COPY} [bar], [%rd1], 16, [%r4];`,
      'mbarrier',
      'one lies at byte 0 of shared memory, where a copy goes',
    ],
    [
      'an mbarrier that is none',
      `${COPY} [%r5], [%rd1], 512, [%r5+512];`,
      'mbarrier',
      'nothing has initialised it',
    ],
    ['a misaligned mbarrier', '@%p1 mbarrier.inval.shared::cta.b64 [%r4+4];', 'mbarrier', 'multiple of 8'],
    [
      'a count of 0',
      '@%p1 mbarrier.init.shared::cta.b64 [%r5], 0;',
      'mbarrier',
      'its count must be 1 to 1048575, but is 0',
    ],
    [
      'a store to an mbarrier',
      '@%p1 st.shared.u32 [%r4], 1;',
      'mbarrier',
      'only instructions for mbarriers may touch',
    ],
    [
      'bytes that nobody waits for',
      `${EXPECT}\n${COPY} [%r5], [%rd1], 512, [%r4];`,
      'copy-never-awaited',
      'exits before',
    ],
    [
      'more bytes than can be announced',
      '@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 1048576;',
      'mbarrier',
      'it counts at most 1048575',
    ],
  ] as const)('%s', async (_, body, kind, says) => {
    const at = body.split('\n').at(-1)!;
    await expectFault(device, text(body), launch(), { kind, at, thread: [0, 0, 0], says: [says] });
  });

  test('registers that no GPU hands over', async () => {
    await expect(runPtx(device, text('setmaxnreg.inc.sync.aligned.u32 100;'), launch())).rejects.toThrow(
      /multiple of 8 from 24 to 256, not 100/,
    );
  });
});

test('what changes nothing here', async () => {
  const body = `setmaxnreg.dec.sync.aligned.u32 40; griddepcontrol.wait; griddepcontrol.launch_dependents;
@%p1 cp.async.bulk.prefetch.L2.global [%rd1], 512; fence.proxy.alias; fence.proxy.async.global;
mov.b64 %rd3, 0x12f0000000000000; ${EXPECT} ${COPY}.L2::cache_hint [%r5], [%rd1], 512, [%r4], %rd3;
WAIT: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [%r4], 0, 0x989680; @!%p2 bra WAIT;
mad.lo.s32 %r6, %r0, 4, %r5; ld.shared.u32 %r7, [%r6]; ld.param.u64 %rd4, [out]; mul.wide.u32 %rd5, %r0, 4; add.s64 %rd4, %rd4, %rd5; st.global.u32 [%rd4], %r7;`;
  const { args, block } = launch();
  await runPtx(device, text(body), { args, block });
  expect([...args[1]!.slice(0, 64)]).toEqual(Array(64).fill(7));
});

test('two copies to one place, and a store of what has not come, by their places in shared memory', async () => {
  const twice = `${EXPECT} ${COPY} [%r5], [%rd1], 256, [%r4];
${COPY} [%r5+16], [%rd1], 256, [%r4];`;
  await expectFault(device, text(twice), launch(), {
    kind: 'copy-in-flight',
    at: `${COPY} [%r5+16], [%rd1], 256, [%r4];`,
    says: [
      'Copy of 16 bytes where a copy is in flight',
      'of the 1152 bytes of shared memory',
      'issued at PTX line 9',
    ],
  });
  const store = `ld.param.u64 %rd4, [out]; ${EXPECT} ${COPY} [%r5], [%rd1], 512, [%r4];
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd4], [%r5], 512;
@%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0;`;
  await expectFault(device, text(store), launch(), {
    kind: 'copy-in-flight',
    says: ['where a copy is in flight', 'of the 1152 bytes of shared memory'],
  });
});

describe('what threads have written where a copy goes', () => {
  const written = (fence: string) =>
    text(`mad.lo.s32 %r6, %r0, 4, %r5; st.shared.u32 [%r6], %r0; ${fence} bar.sync 0;
${EXPECT} ${COPY} [%r5], [%rd1], 512, [%r4];
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r4], 0; @!%p2 bra WAIT;`);

  test('is overwritten behind a fence', async () => {
    await runPtx(device, written('fence.proxy.async.shared::cta;'), launch());
  });

  test('is a race without one', async () => {
    await expectFault(device, written(''), launch(), {
      kind: 'race',
      thread: [0, 0, 0],
      says: ['Race: bulk copy', 'wrote at PTX line 9 (st.shared.u32', 'with no fence.proxy.async in between'],
    });
  });
});

test('what one warp has waited for, another has not', async () => {
  const body = (skip: string) => `${EXPECT} ${COPY} [%r5], [%rd1], 512, [%r4];
setp.ge.u32 %p3, %r0, 32; ${skip}
WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r4], 0; @!%p2 bra WAIT;
READ: mad.lo.s32 %r6, %r0, 4, %r5;
ld.shared.u32 %r7, [%r6];`;
  await runPtx(device, text(body('')), launch());
  await expectFault(device, text(body('@%p3 bra READ;')), launch(), {
    kind: 'race',
    at: 'ld.shared.u32 %r7, [%r6];',
    thread: [32, 0, 0],
    says: ['which a copy in bulk wrote at PTX line 9'],
  });
});

test('copies of threads arrive at an mbarrier', async () => {
  // Each thread copies its word, and another reads it after the phase that counts them.
  const body = `@%p1 mbarrier.inval.shared::cta.b64 [%r4]; @%p1 mbarrier.init.shared::cta.b64 [%r4], 64; bar.sync 0;
mul.wide.u32 %rd5, %r0, 4; add.s64 %rd6, %rd1, %rd5; mad.lo.s32 %r6, %r0, 4, %r5; cp.async.ca.shared.global [%r6], [%rd6], 4;
cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r4];
WAIT: mbarrier.test_wait.parity.shared::cta.b64 %p2, [%r4], 0; @!%p2 bra WAIT;
xor.b32 %r7, %r0, 63; mad.lo.s32 %r7, %r7, 4, %r5; ld.shared.u32 %r8, [%r7]; ld.param.u64 %rd4, [out]; add.s64 %rd4, %rd4, %rd5; st.global.u32 [%rd4], %r8;`;
  const out = new Uint32Array(64);
  const input = Uint32Array.from({ length: 64 }, (_, i) => i + 1);
  await runPtx(device, text(body), { block: 64, args: [input, out] });
  expect([...out]).toEqual([...input].reverse());
  // Where unwritten words may be read, it is still a race.
  await using lenient = new EmulatorDevice({ cache: false, workers: 1, checks: { initcheck: false } });
  await expectFault(
    lenient,
    text(body.replace(/WAIT:.*\n/, '')),
    { block: 64, args: [input, out] },
    { kind: 'race', says: ['cp.async'] },
  );
});
