import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { kernel, runPtx } from './support/run-ptx.js';

const devices = [
  new EmulatorDevice({ cache: false, workers: 2 }),
  new EmulatorDevice({ cache: false, workers: 1, checks: false, counters: true }),
];
afterAll(() => {
  for (const device of devices) device.close();
});

const NOBODY = 0x7fffdead;

/** `%r1` the thread, `%r2` its lane, `%r3` its word of the input; `%r20` goes out, and `%p9` as 0 or 1. */
const text = (body: string) =>
  kernel(
    'u64 in, u64 out, u32 n',
    `mov.u32 %r1, %tid.x; mov.u32 %r2, %laneid; ld.param.u32 %r19, [n];
ld.param.u64 %rd1, [in]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r3, [%rd3]; setp.eq.s32 %p9, %r1, -1;
${body}
selp.b32 %r21, 1, 0, %p9; ld.param.u64 %rd4, [out]; mul.wide.u32 %rd5, %r1, 8; add.s64 %rd6, %rd4, %rd5; st.global.v2.u32 [%rd6], {%r20, %r21};`,
  );

const value = (thread: number) => (0x1000193 * (thread + 5)) >>> 0;

async function run(device: EmulatorDevice, body: string, threads: number, n = 0) {
  const input = Uint32Array.from({ length: threads }, (_, t) => value(t));
  const out = new Uint32Array(2 * threads);
  await runPtx(device, text(body), { block: threads, grid: 2, args: [input, out, n] });
  return Array.from({ length: threads }, (_, t) => ({ got: out[2 * t]!, flag: out[2 * t + 1]! }));
}

/** PTX ISA, "shfl.sync", step by step. */
function shuffled(mode: string, lane: number, b: number, c: number): { from: number; valid: boolean } {
  const segmask = (c >>> 8) & 31;
  const cval = c & 31;
  const bval = b & 31;
  const max = (lane & segmask) | (cval & ~segmask);
  const min = lane & segmask;
  const [j, valid] = {
    up: [lane - bval, lane - bval >= max],
    down: [lane + bval, lane + bval <= max],
    bfly: [lane ^ bval, (lane ^ bval) <= max],
    idx: [min | (bval & ~segmask), (min | (bval & ~segmask)) <= max],
  }[mode] as [number, boolean];
  return { from: valid ? j : lane, valid };
}

describe.each(devices)('with checks $checks', (device) => {
  describe.each(['idx', 'up', 'down', 'bfly'])('shfl.sync.%s', (mode) => {
    test.each([0, 1, 5, 16, 31, 33])('by %i, over segments of 32, 16 and 8 lanes', async (b) => {
      for (const segment of [0, 0x1000, 0x1800]) {
        const c = segment | (mode === 'up' ? 0 : 31);
        const results = await run(device, `shfl.sync.${mode}.b32 %r20|%p9, %r3, ${b}, ${c}, -1;`, 96);
        results.forEach(({ got, flag }, thread) => {
          const { from, valid } = shuffled(mode, thread % 32, b, c);
          expect([got, flag], `thread ${thread}`).toEqual([value((thread & ~31) + from), valid ? 1 : 0]);
        });
      }
    });

    test('by a number of each lane its own, with no predicate, of a float', async () => {
      const body = `mul.lo.s32 %r4, %r2, 7; mov.b32 %f1, %r3; shfl.sync.${mode}.b32 %f2, %f1, %r4, ${mode === 'up' ? 0 : 31}, 0xffffffff; mov.b32 %r20, %f2;`;
      (await run(device, body, 64)).forEach(({ got }, thread) => {
        const { from } = shuffled(mode, thread % 32, 7 * (thread % 32), mode === 'up' ? 0 : 31);
        expect(got, `thread ${thread}`).toBe(value((thread & ~31) + from));
      });
    });
  });

  test('a butterfly sum, in a loop, in registers that overlap', async () => {
    const body = `mov.u32 %r4, 16; mov.u32 %r20, %r3;
NEXT: shfl.sync.bfly.b32 %r5, %r20, %r4, 31, -1; add.s32 %r20, %r20, %r5; shr.u32 %r4, %r4, 1; setp.ne.s32 %p1, %r4, 0; @%p1 bra NEXT; shfl.sync.idx.b32 %r20, %r20, %r20, 31, -1;`;
    (await run(device, body, 64)).forEach(({ got }, thread) => {
      let sum = 0;
      for (let lane = 0; lane < 32; lane++) sum = (sum + value((thread & ~31) + lane)) >>> 0;
      expect(got).toBe(sum);
    });
  });

  test('lanes that come by different ways meet; one that has exited is not waited for', async () => {
    const body = `setp.eq.s32 %p1, %r2, 9; @%p1 ret; and.b32 %r4, %r2, 1; setp.eq.s32 %p2, %r4, 1; @%p2 bra ODD; add.s32 %r3, %r3, 1; bra MEET;
ODD: add.s32 %r3, %r3, 2;
MEET: shfl.sync.down.b32 %r20, %r3, 1, 31, -1;`;
    (await run(device, body, 64)).forEach(({ got }, thread) => {
      const lane = thread % 32;
      if (lane === 9) return;
      const from = lane === 31 ? thread : thread + 1;
      const wanted = lane === 8 ? NOBODY : (value(from) + (from % 2 === 1 ? 2 : 1)) >>> 0;
      expect(got, `thread ${thread}`).toBe(wanted);
    });
  });

  test('votes', async () => {
    const body = `and.b32 %r4, %r1, %r19; setp.ne.s32 %p1, %r4, 0; vote.sync.ballot.b32 %r20, %p1, -1;
vote.sync.all.pred %p2, %p1, -1; vote.sync.any.pred %p3, !%p1, -1; vote.sync.uni.pred %p9, %p1, -1; selp.b32 %r5, 1, 0, %p2; selp.b32 %r6, 2, 0, %p3; xor.b32 %r20, %r20, %r5; xor.b32 %r20, %r20, %r6;`;
    for (const n of [0, 1, 6, 32, 127]) {
      (await run(device, body, 96, n)).forEach(({ got, flag }, thread) => {
        let ballot = 0;
        for (let lane = 0; lane < 32; lane++) if (((thread & ~31) + lane) & n) ballot |= 1 << lane;
        const all = ballot === -1 ? 1 : 0;
        const anyNot = ballot !== -1 ? 2 : 0;
        expect([got, flag], `thread ${thread}, n ${n}`).toEqual([
          (ballot ^ all ^ anyNot) >>> 0,
          ballot === -1 || ballot === 0 ? 1 : 0,
        ]);
      });
    }
  });

  test('activemask: all lanes where none has gone away, and those that have come together', async () => {
    const body = `activemask.b32 %r20; setp.lt.u32 %p1, %r2, 8; @!%p1 bra MEET; activemask.b32 %r20; MEET: bar.warp.sync -1;`;
    (await run(device, body, 64)).forEach(({ got }, thread) => {
      expect(got).toBe(thread % 32 < 8 ? 0xff : 0xffffffff);
    });
  });

  test('bar.warp.sync orders what lanes of a warp do to shared memory', async () => {
    const body = `.shared .align 4 .b8 cell[512]; mov.u32 %r4, cell; mad.lo.s32 %r5, %r1, 4, %r4; xor.b32 %r6, %r1, 31; mad.lo.s32 %r6, %r6, 4, %r4; st.shared.u32 [%r5], %r3;
bar.warp.sync -1; ld.shared.u32 %r20, [%r6];`;
    (await run(device, body, 128)).forEach(({ got }, thread) => {
      expect(got).toBe(value(thread ^ 31));
    });
  });

  test('masks of parts of a warp', async () => {
    const body = `and.b32 %r4, %r2, 16; setp.ne.s32 %p1, %r4, 0; selp.b32 %r5, 0xffff0000, 0x0000ffff, %p1; xor.b32 %r6, %r2, 17; @%p1 bra HIGH;
shfl.sync.bfly.b32 %r20, %r3, 1, 31, %r5; bra DONE;
HIGH: shfl.sync.idx.b32 %r20, %r3, %r6, 31, %r5;
DONE: bar.warp.sync %r5;`;
    (await run(device, body, 64)).forEach(({ got }, thread) => {
      expect(got).toBe(thread % 32 < 16 ? value(thread ^ 1) : NOBODY);
    });
  });
});

const [device] = devices as [EmulatorDevice];

describe('copies and warps', () => {
  const copy = (sync: string, from: number) =>
    text(`.shared .align 4 .b8 cell[256]; mov.u32 %r4, cell; mad.lo.s32 %r5, %r1, 4, %r4; xor.b32 %r6, %r1, ${from}; mad.lo.s32 %r6, %r6, 4, %r4; cp.async.ca.shared.global [%r5], [%rd3], 4; cp.async.wait_all;
${sync}
ld.shared.u32 %r20, [%r6];
bar.sync 0; ld.shared.u32 %r20, [%r6];`);
  const launch = () => ({
    block: 64,
    args: [Uint32Array.from({ length: 64 }, (_, t) => value(t)), new Uint32Array(128), 0],
  });

  test('what has landed for a lane is seen by its warp after bar.warp.sync, by the block after bar.sync', async () => {
    const { args, block } = launch();
    await runPtx(device, copy('bar.warp.sync -1;', 31), { block, args });
    expect((args[1] as Uint32Array).filter((_, i) => i % 2 === 0)).toEqual(
      Uint32Array.from({ length: 64 }, (_, t) => value(t ^ 31)),
    );
    await expectFault(device, copy('bar.warp.sync -1;', 32), launch(), {
      kind: 'copy-unsynchronised',
      at: 'ld.shared.u32 %r20, [%r6];',
      thread: [0, 0, 0],
      says: ['that of thread 32 of the block'],
    });
  });
});

describe('warps that break a rule', () => {
  test('a lane that is not in its own mask', async () => {
    await expectFault(
      device,
      text('mov.u32 %r20, 0;\nbar.warp.sync 0x7fffffff;'),
      { block: 32, args: [new Uint32Array(32), new Uint32Array(64), 0] },
      {
        kind: 'barrier-divergence',
        at: 'bar.warp.sync 0x7fffffff;',
        thread: [31, 0, 0],
        says: ['lane 31 is not among'],
      },
    );
  });

  test('a lane that never comes', async () => {
    const body =
      'mov.u32 %r20, 0; setp.eq.s32 %p1, %r2, 3; @%p1 bra LATE;\nbar.warp.sync -1;\nLATE: bar.sync 0;';
    await expectFault(
      device,
      text(body),
      { block: 32, args: [new Uint32Array(32), new Uint32Array(64), 0] },
      {
        kind: 'barrier-divergence',
        thread: [0, 0, 0],
      },
    );
  });
});
