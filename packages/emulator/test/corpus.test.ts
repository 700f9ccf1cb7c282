import { readFileSync } from 'node:fs';
import { ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { kernel, runPtx } from './support/run-ptx.js';

const fixture = (name: string) =>
  readFileSync(new URL(`./fixtures/corpus/${name}.ptx`, import.meta.url), 'utf8');
const author = fixture('author');
const device = new EmulatorDevice({ cache: false });
afterAll(() => device.close());

const THREADS = 64;
const input = Uint32Array.from({ length: THREADS }, (_, i) => (i * 37 + 5) % 101);

async function run(name: string, planes = 1, values = input): Promise<number[]> {
  const out = new Uint32Array(planes * THREADS);
  await runPtx(device, author, { kernel: name, block: THREADS, args: [values, out] });
  return [...out];
}

const u32 = (x: number | bigint): number => Number(BigInt.asUintN(32, BigInt(x)));
const planes = (...of: ((i: number, a: number) => number)[]): number[] =>
  of.flatMap((f) => [...input].map((a, i) => u32(f(i, a))));
const warpOf = (i: number): number[] => [...input].slice(32 * (i >> 5), 32 * (i >> 5) + 32);
const bits = (of: boolean[]): number => of.reduce((mask, yes, lane) => (yes ? mask | (1 << lane) : mask), 0);

describe('what nvcc makes of programs that authors write', () => {
  test('calls of functions, with structures as parameters and results', async () => {
    const out = await run('calls', 2);
    const want = planes(
      (_, a) => (a & 1 ? 0 : a),
      (_, a) => {
        const j = a & 7;
        const v = [1, 2, a];
        v[j % 3]! += 2 * j + 1;
        return v[0]! + 10 * v[1]! + v[2]! + 3 + 8;
      },
    );
    expect(out).toEqual(want);
  });

  test('a switch', async () => {
    const out = await run('jumps', 4);
    const of = (a: number, i: number): number[] => {
      const reversed = u32(BigInt(`0b${[...a.toString(2).padStart(32, '0')].reverse().join('')}`));
      const ones = [...a.toString(2)].filter((bit) => bit === '1').length;
      const cases: Record<number, number[]> = {
        0: [a * 3, 0, 0, 0],
        1: [0, a ^ 55, 0, 0],
        2: [0, 0, input[a & 31]!, 0],
        3: [Math.floor(a / 3), 0, 0, 1],
        4: [0, u32(-a), 0, 0],
        5: [0, 0, 0, a << 3],
        6: [u32(a - 8), 1, 0, 0],
        7: [0, 0, a % 11, 0],
        8: [0, 0, 0, ones],
        9: [reversed, 0, 4, 0],
        10: [0, a * a, 0, 0],
        11: [0, 0, input[i ^ 1]!, 0],
      };
      return cases[a & 15] ?? [77, 0, 0, 0];
    };
    expect(out).toEqual([...input].flatMap(of));
  });

  test('local arrays, constant and initialised memory', async () => {
    const table = [3, 1, 4, 1, 5, 9, 2, 6];
    const want = planes((i, a) => {
      const l = Array.from({ length: 16 }, (_, j) => a * j);
      l[a & 15]! ^= 99;
      return l[(a * 7) & 15]! + table[a & 7]! + 2 * ((i & 3) + 0.5);
    });
    expect(await run('memories')).toEqual(want);
  });

  test('128-bit integers, by carries', async () => {
    const q = (i: number, a: number) => (BigInt(a) * 0x123456789abcdefn - (BigInt(i) << 70n)) >> 31n;
    const want = planes(
      (i, a) => Number(BigInt.asUintN(32, q(i, a))),
      (i, a) => Number(BigInt.asUintN(32, q(i, a) >> 32n)),
    );
    expect(await run('wide', 2)).toEqual(want);
  });

  test('match.sync, of words and of 64 bits', async () => {
    const want = planes(
      (i, a) => bits(warpOf(i).map((b) => (b & 3) === (a & 3))),
      (i) => (i < 32 ? 0xffffffff + 1 : 0),
    );
    expect(await run('matches', 2)).toEqual(want);
  });

  test('redux.sync', async () => {
    const want = planes(
      (i) => warpOf(i).reduce((x, y) => x + y),
      (i) => Math.max(...warpOf(i)),
      (i) => Math.min(...warpOf(i)) ^ warpOf(i).reduce((x, y) => x ^ y),
    );
    expect(await run('reduces', 3)).toEqual(want);
  });

  test('lanes of a mask that have gone their own way', async () => {
    const want = planes((i, a) => {
      const odd = warpOf(i).filter((b) => b & 1);
      return a & 1 ? odd[0]! + (odd.includes(7) ? 1000 : 0) + odd.length : 5;
    });
    expect(await run('partial')).toEqual(want);
  });

  test('barriers that count, and, and or', async () => {
    const odd = [...input].filter((a) => a & 1).length;
    const want = planes(
      () => odd,
      () => 1,
    );
    expect(await run('blocks', 2)).toEqual(want);
    expect((await run('blocks', 2, new Uint32Array(THREADS).fill(9)))[64]).toBe(3);
  });

  test('one warp arrives, the other waits', async () => {
    expect(await run('handover')).toEqual(planes((i) => (i < 32 ? 0 : input[63 - i]!)));
  });

  test('barriers whose number and count come from registers', async () => {
    expect(await run('by_warp')).toEqual(planes((i) => input[i ^ 1]!));
  });

  test('masks of lanes, and the one that is elected', async () => {
    const want = planes(
      (i) => 2 ** (i & 31) - 1,
      (i) => 2 ** 32 - 2 ** (i & 31),
      (i) => ((i & 31) === 0 ? 1 : 0),
    );
    expect(await run('lanes', 3)).toEqual(want);
  });

  test('atomics on values of 16 bits', async () => {
    const out = await run('halves');
    // 64 and 32 in f16, 16 in f16; one thread has found the 7.
    expect(out.slice(0, 2)).toEqual([0x50005400, 0x4c00]);
    expect(out[2]! >>> 16).toBe(0xffff);
    expect(out[2]! & 0xffff).toBeGreaterThanOrEqual(9);
    expect(out[2]! & 0xffff).toBeLessThan(9 + THREADS);
  });

  test('clocks go on', async () => {
    expect(await run('clocks')).toEqual(planes(() => 3));
  });

  test('which space an address lies in', async () => {
    expect(await run('spaces')).toEqual(planes(() => 1 + 4 + 8));
  });

  test('an assertion names its text, file and line', async () => {
    expect(await run('checked')).toEqual([...input]);
    const line = readFileSync(new URL('./fixtures/corpus/author.cu', import.meta.url), 'utf8')
      .split('\n')
      .findIndex((text) => text.includes('assert('));
    const wrong = input.with(37, 5000);
    await expect(run('checked', 1, wrong)).rejects.toThrow(
      new RegExp(`assertion 'a < 1000' failed, author\\.cu:${line + 1}, in .*checked.*thread \\(37, 0, 0\\)`),
    );
  });
});

test('a jump table, which nvcc makes of few switches only, in straight and in guarded code', async () => {
  const body = `mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; mov.u32 %r3, 9; setp.lt.u32 %p1, %r1, 32;
TABLE: .branchtargets ZERO, ONE, ZERO, THREE;
@%p1 brx.idx %r2, TABLE;
bra DONE;
ZERO: add.u32 %r3, %r3, %r2; bra DONE;
ONE: mov.u32 %r3, 1; bra DONE;
THREE: mov.u32 %r3, 3;
DONE: ld.param.u64 %rd1, [p]; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r3;`;
  const out = new Uint32Array(THREADS);
  await runPtx(device, kernel('u64 p', body), { block: THREADS, args: [out] });
  expect([...out]).toEqual(planes((i) => (i < 32 ? [9, 1, 11, 3][i & 3]! : 9)));
});

test('lanes that run together may come with different masks', async () => {
  const body = `mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 3; shl.b32 %r3, 0x11111111, %r2;
ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
ld.global.u32 %r4, [%rd1]; setp.gt.u32 %p1, %r4, 50;
vote.sync.ballot.b32 %r5, %p1, %r3; redux.sync.add.u32 %r6, %r4, %r3; add.u32 %r7, %r5, %r6; st.global.u32 [%rd2], %r7;`;
  const out = new Uint32Array(THREADS);
  await runPtx(device, kernel('u64 in, u64 out', body), { block: THREADS, args: [input, out] });
  const alike = (i: number, lane: number) => (lane & 3) === (i & 3);
  const want = planes((i) => {
    const votes = bits(warpOf(i).map((a, lane) => alike(i, lane) && a > 50)) >>> 0;
    return votes + warpOf(i).reduce((sum, a, lane) => (alike(i, lane) ? sum + a : sum), 0);
  });
  expect([...out]).toEqual(want);
});

test('a guard decides which lanes take part in a shuffle', async () => {
  const body = `mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; mov.u32 %r3, 7;
ld.param.u64 %rd2, [out]; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd2, %rd2, %rd3;
@%p1 shfl.sync.idx.b32 %r3, %r1, 5, 31, 0xaaaaaaaa; st.global.u32 [%rd2], %r3;`;
  const out = new Uint32Array(THREADS);
  await runPtx(device, kernel('u64 out', body), { block: THREADS, args: [out] });
  expect([...out]).toEqual(planes((i) => (i & 1 ? (i & 32) + 5 : 7)));
});

describe('what is refused says why, and where', () => {
  const refused = fixture('refused');
  /** The module with one kernel only, behind blank lines, so that its lines stay. */
  const only = (name: string): string => {
    const parts = refused.split(/(?=\n\.visible \.entry )/);
    return parts
      .map((part) =>
        part.startsWith('\n.visible') && !part.includes(`.entry ${name}(`)
          ? part.replace(/^(?!\t\.file).*$/gm, '')
          : part,
      )
      .join('');
  };

  test.each([
    ['recursion', 'calls itself, and functions are inlined'],
    ['printing', 'printf is not emulated; write to a buffer instead'],
    ['allocation', 'there is no heap in a kernel'],
    ['exponential', 'near, not the same bits (ex2.approx'],
    ['breakpoint', "does not know the instruction 'brkpt'"],
  ])('%s', async (name, why) => {
    await expect(device.load(ObjectCode.fromPtx(only(name)))).rejects.toMatchObject({
      code: 'FFMA_COMPILE',
      message: expect.stringMatching(new RegExp(`kernel ${name}, PTX line \\d+, refused.cu:\\d+`)),
    });
    await expect(device.load(ObjectCode.fromPtx(only(name)))).rejects.toThrow(why);
  });

  test('approximations are let through where that is asked for', async () => {
    await using lenient = new EmulatorDevice({ cache: false, approximations: true });
    const out = new Int32Array(1);
    await runPtx(lenient, only('exponential'), { kernel: 'exponential', args: [Int32Array.of(10), out] });
    expect(out[0]).toBe(1024);
  });
});
