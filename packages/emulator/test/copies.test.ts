import { counterFacts, EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { profileOf } from './support/profiles.js';
import { kernel, runPtx, Unwritten } from './support/run-ptx.js';

const checked = new EmulatorDevice({ cache: false, workers: 2 });
const unchecked = new EmulatorDevice({ cache: false, workers: 2, checks: false });
const counting = new EmulatorDevice({ cache: false, workers: 2, counters: true });
afterAll(() => {
  for (const device of [checked, unchecked, counting]) device.close();
});

const THREADS = 64;
const words = (count: number) => Uint32Array.from({ length: count }, (_, i) => 1000 + i);

/**
 * Thread `%r1`: `%r2` is its place in the tile, `bytes` a thread, `%r4` that of thread ^ 33; `%rd3` its input, `%rd6`
 * where its result goes, a word a thread.
 */
function text(body: string, bytes = 16): string {
  return kernel(
    'u64 in, u64 out, u32 n',
    `.shared .align 16 .b8 tile[4096];
mov.u32 %r1, %tid.x; mov.u32 %r9, tile; mad.lo.s32 %r2, %r1, ${bytes}, %r9; ld.param.u32 %r8, [n];
ld.param.u64 %rd1, [in]; mul.wide.u32 %rd2, %r1, ${bytes}; add.s64 %rd3, %rd1, %rd2;
ld.param.u64 %rd4, [out]; mul.wide.u32 %rd5, %r1, 4; add.s64 %rd6, %rd4, %rd5;
xor.b32 %r3, %r1, 33; mad.lo.s32 %r4, %r3, ${bytes}, %r9;
${body}`,
  );
}

interface Run {
  readonly input?: Uint32Array | Unwritten;
  readonly n?: number;
  readonly threads?: number;
}

async function run(device: EmulatorDevice, ptx: string, options: Run = {}): Promise<number[]> {
  const { input = words(4 * THREADS), n = 0, threads = THREADS } = options;
  const out = new Uint32Array(THREADS);
  await runPtx(device, ptx, { block: threads, args: [input, out, n] });
  return [...out];
}

const each = (of: (thread: number) => number) => Array.from({ length: THREADS }, (_, t) => of(t));

describe.each([checked, unchecked, counting])('with checks $checks, counters $counters', (device) => {
  test.each([
    [4, 'ca'],
    [8, 'ca'],
    [16, 'ca'],
    [16, 'cg'],
  ] as const)('%i bytes by .%s are seen by another thread after wait and barrier', async (bytes, how) => {
    const last = bytes / 4 - 1;
    const ptx = text(
      `cp.async.${how}.shared.global.L2::128B [%r2], [%rd3], ${bytes};
cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r5, [%r4+${4 * last}]; st.global.u32 [%rd6], %r5;`,
      bytes,
    );
    expect(await run(device, ptx)).toEqual(each((t) => 1000 + ((t ^ 33) * bytes) / 4 + last));
  });

  test('a thread reads its own copy, and copies there again, with no barrier at all', async () => {
    const ptx = text(`mov.u32 %r6, 0; mov.u32 %r7, 0;
AGAIN: cp.async.ca.shared.global [%r2], [%rd3], 4; cp.async.wait_all; ld.shared.u32 %r5, [%r2];
add.s32 %r6, %r6, %r5; st.shared.u32 [%r2], 7; add.s64 %rd3, %rd3, 4; add.s32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 3; @%p1 bra AGAIN;
st.global.u32 [%rd6], %r6;`);
    expect(await run(device, ptx)).toEqual(each((t) => 3 * (1000 + 4 * t) + 3));
  });

  test('the source is read when the copy is issued, and lands at the wait of its own group', async () => {
    // Two groups of one word each; the input changes behind their back.
    const ptx = text(`st.shared.u32 [%r2], 1; st.shared.u32 [%r2+4], 2;
cp.async.ca.shared.global [%r2], [%rd3], 4; cp.async.commit_group; cp.async.ca.shared.global [%r2+4], [%rd3+4], 4; cp.async.commit_group;
st.global.u32 [%rd3], 5; st.global.u32 [%rd3+4], 5;
cp.async.wait_group 1; ld.shared.u32 %r5, [%r2]; cp.async.wait_group 0; ld.shared.u32 %r6, [%r2+4];
mad.lo.s32 %r5, %r5, 10000, %r6; st.global.u32 [%rd6], %r5;`);
    expect(await run(device, ptx)).toEqual(each((t) => (1000 + 4 * t) * 10000 + 1001 + 4 * t));
  });

  test('bytes past the source size are zeros, and size 0 reads nothing', async () => {
    for (const n of [0, 1, 2, 4, 6, 11, 12, 15, 16]) {
      const ptx = text(
        `st.shared.u32 [%r2], 9; cp.async.cg.shared.global [%r2], [%rd3], 16, %r8; cp.async.wait_all; bar.sync 0;
ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r4]; xor.b32 %r10, %r10, %r11; xor.b32 %r12, %r12, %r13; xor.b32 %r10, %r10, %r12; st.global.u32 [%rd6], %r10;`,
      );
      const wanted = each((t) => {
        const bytes = new Uint8Array(words(4 * THREADS).buffer.slice(16 * (t ^ 33), 16 * (t ^ 33) + 16));
        return new Uint32Array(bytes.fill(0, n).buffer).reduce((x, y) => x ^ y, 0) >>> 0;
      });
      // Just as many bytes as the last thread is to read: no more may be touched.
      const input = words(4 * THREADS);
      expect(await run(device, ptx, { input, n })).toEqual(wanted);
    }
    const nothing = text(
      `cp.async.cg.shared.global [%r2], [%rd3+1048576], 16, %r8; cp.async.wait_all; ld.shared.u32 %r5, [%r2+12]; st.global.u32 [%rd6], %r5;`,
    );
    expect(await run(device, nothing, { input: new Unwritten(16) })).toEqual(each(() => 0));
  });

  test('a predicate that says to read nothing, of each lane its own and of all alike', async () => {
    const ptx = text(`and.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 1; setp.eq.s32 %p2, %r8, 1;
cp.async.ca.shared.global [%r2], [%rd3], 4, %p1; cp.async.ca.shared.global [%r2+4], [%rd3], 4, %p2; cp.async.wait_all; bar.sync 0;
ld.shared.v2.u32 {%r10, %r11}, [%r4]; mad.lo.s32 %r10, %r11, 10000, %r10; st.global.u32 [%rd6], %r10;`);
    for (const n of [0, 1]) {
      const value = (t: number) => 1000 + 4 * (t ^ 33);
      expect(await run(device, ptx, { n })).toEqual(
        each((t) => (n === 1 ? 0 : 10000 * value(t)) + ((t ^ 33) % 2 === 1 ? 0 : value(t))),
      );
    }
  });

  test('guards, of all lanes alike and of each its own, and a size of each its own', async () => {
    const ptx = text(
      `st.shared.u32 [%r2], 3; st.shared.u32 [%r2+12], 3; st.shared.u32 [%r2+4], 3; st.shared.u32 [%r2+8], 3;
and.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 0; setp.eq.s32 %p2, %r8, 1; shl.b32 %r6, %r5, 2;
@%p1 cp.async.ca.shared.global [%r2], [%rd3], 4; @!%p2 cp.async.ca.shared.global [%r2+4], [%rd3], 4;
cp.async.ca.shared.global [%r2+8], [%rd3], 4, %r6; @%p1 cp.async.commit_group; @%p1 cp.async.wait_group 0; @!%p1 cp.async.wait_all; bar.sync 0;
ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r4]; add.s32 %r10, %r10, %r11; add.s32 %r10, %r10, %r12; st.global.u32 [%rd6], %r10;`,
    );
    const odd = (t: number) => (t ^ 33) % 2;
    const value = (t: number) => 1000 + 4 * (t ^ 33);
    expect(await run(device, ptx, { n: 1 })).toEqual(
      each((t) => (odd(t) ? 3 : value(t)) + 3 + (odd(t) ? value(t) : 0)),
    );
    expect(await run(device, ptx, { n: 0 })).toEqual(
      each((t) => (odd(t) ? 3 : value(t)) + value(t) + (odd(t) ? value(t) : 0)),
    );
  });

  test('lanes that have gone their own ways copy, commit and wait each for itself', async () => {
    // Thread t copies (t mod 4) + 1 words, a group each, and leaves the youngest until the end.
    const ptx = text(`and.b32 %r5, %r1, 3; mov.u32 %r6, 0;
MORE: cp.async.ca.shared.global [%r2], [%rd3], 4; cp.async.commit_group; add.s32 %r2, %r2, 4; add.s64 %rd3, %rd3, 4; add.s32 %r6, %r6, 1; setp.le.u32 %p1, %r6, %r5; @%p1 bra MORE;
cp.async.wait_group 1; mov.u32 %r7, 0; setp.eq.s32 %p2, %r5, 0; @%p2 bra LAST; ld.shared.u32 %r7, [%r2+-8];
LAST: cp.async.wait_group 0; ld.shared.u32 %r10, [%r2+-4]; add.s32 %r7, %r7, %r10; st.global.u32 [%rd6], %r7;`);
    expect(await run(device, ptx)).toEqual(
      each((t) => 1000 + 4 * t + (t % 4) + (t % 4 === 0 ? 0 : 1000 + 4 * t + (t % 4) - 1)),
    );
  });

  test('a block that is no multiple of four threads', async () => {
    const ptx = text(
      `cp.async.ca.shared.global [%r2], [%rd3], 8; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; sub.s32 %r3, 36, %r1; mad.lo.s32 %r4, %r3, 16, %r9; ld.shared.u32 %r5, [%r4+4]; st.global.u32 [%rd6], %r5;`,
    );
    expect((await run(device, ptx, { threads: 37 })).slice(0, 37)).toEqual(
      Array.from({ length: 37 }, (_, t) => 1000 + 4 * (36 - t) + 1),
    );
  });

  test('more than one block after the other finds nothing of the one before', async () => {
    const ptx = text(
      `cp.async.ca.shared.global [%r2], [%rd3], 16; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r5, [%r4]; st.global.u32 [%rd6], %r5; bar.sync 0; cp.async.ca.shared.global [%r2], [%rd3], 16; cp.async.wait_all;`,
    );
    const out = new Uint32Array(THREADS);
    await runPtx(device, ptx, { grid: 9, block: THREADS, args: [words(4 * THREADS), out, 0] });
    expect([...out]).toEqual(each((t) => 1000 + 4 * (t ^ 33)));
  });
});

test('counters: what a copy reads is a global load, what it writes is async', async () => {
  const ptx = text(
    `and.b32 %r5, %r1, 1; shl.b32 %r5, %r5, 4; cp.async.cg.shared.global [%r2], [%rd3], 16, %r5; cp.async.commit_group; cp.async.wait_group 0;`,
  );
  const profile = await profileOf(counting, ptx, {
    grid: 2,
    block: THREADS,
    args: [words(4 * THREADS), new Uint32Array(1), 0],
  });
  const facts = counterFacts([profile]);
  // Every other lane of a warp reads 16 bytes: half a sector each.
  expect(facts.value('global.load.requests')).toBe(4);
  expect(facts.value('global.load.sectors')).toBe(4 * 16);
  expect(facts.value('global.load.bytesRequested')).toBe(4 * 16 * 16);
  expect(facts.value('global.load.bytesPerSector')).toBe(16);
  expect(facts.value('async.bytes')).toBe(2 * THREADS * 16);
  expect(facts.value('shared.store.requests')).toBe(0);
  expect(facts.value('instructions.async')).toBe(2 * THREADS * 3);
});
