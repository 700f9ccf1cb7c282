import { readFileSync } from 'node:fs';
import { counterFacts, EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { profileOf } from './support/profiles.js';
import { kernel, runPtx } from './support/run-ptx.js';
import { f32, f32Bits } from './support/scalar-values.js';

const device = new EmulatorDevice({ cache: false, workers: 3 });
const counting = new EmulatorDevice({ cache: false, workers: 2, counters: true });
afterAll(() => {
  device.close();
  counting.close();
});

const nvcc = readFileSync(new URL('./fixtures/reductions.ptx', import.meta.url), 'utf8');
const GRID = 12;
const BLOCK = 70;
const THREADS = GRID * BLOCK;
const ROWS = 7;
/** Whole numbers, so that sums are exact in any order. */
const values = (columns: number) =>
  Float32Array.from({ length: THREADS * columns }, (_, i) => ((i * 31) % 17) - 8);

function sumsOf(input: Float32Array, columns: number): Float32Array {
  const sums = new Float32Array(ROWS * columns).fill(0.5);
  input.forEach((value, i) => {
    sums[(Math.floor(i / columns) % ROWS) * columns + (i % columns)]! += value;
  });
  return sums;
}

describe('reductions that nvcc makes', () => {
  test('red of four, two and one float, from all threads of all blocks', async () => {
    const input = values(8);
    const sums = new Float32Array(8 * ROWS).fill(0.5);
    await runPtx(device, nvcc, { kernel: 'add_rows', grid: GRID, block: BLOCK, args: [sums, input, ROWS] });
    expect(sums).toEqual(sumsOf(input, 8));
  });

  test('atom of four floats gives old values that chain', async () => {
    const input = values(4);
    const sums = new Float32Array(4 * ROWS).fill(0.5);
    const old = new Float32Array(4 * THREADS);
    await runPtx(device, nvcc, {
      kernel: 'take_rows',
      grid: GRID,
      block: BLOCK,
      args: [sums, input, old, ROWS],
    });
    expect(sums).toEqual(sumsOf(input, 4));
    // Of each element: what threads made, and the start, are what threads found, and the end.
    for (let cell = 0; cell < 4 * ROWS; cell++) {
      const own = [...old.keys()].filter((i) => (Math.floor(i / 4) % ROWS) * 4 + (i % 4) === cell);
      const made = own.map((i) => old[i]! + input[i]!);
      const sorted = (numbers: number[]) => numbers.sort((x, y) => x - y);
      expect(sorted([...made, 0.5])).toEqual(sorted([...own.map((i) => old[i]!), sums[cell]!]));
    }
  });

  test('maxima, tickets that wrap, exchange and compare-and-swap', async () => {
    const cells = new Uint32Array(5);
    const drawn = new Uint32Array(THREADS);
    const most = Int32Array.of(-1000);
    const input = Int32Array.from({ length: THREADS }, (_, i) => ((i * 37) % 101) - 50);
    await runPtx(device, nvcc, {
      kernel: 'tickets',
      grid: GRID,
      block: BLOCK,
      args: [cells, drawn, most, input],
    });
    expect(most[0]).toBe(Math.max(...input));
    expect(cells[0]).toBe(Math.max(...new Uint32Array(input)));
    const each = (ticket: number) => drawn.filter((d) => d === ticket).length;
    expect(Array.from({ length: 10 }, (_, t) => each(t))).toEqual(new Array(10).fill(THREADS / 10));
    expect(cells[2]).toBeGreaterThan(0);
    expect(cells[3]).toBe(1);
    expect(f32(BigInt(cells[4]!))).toBe(0.5);
  });
});

const ADDRESS =
  'ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 16; add.s64 %rd3, %rd1, %rd2;';

describe('vectors in every use', () => {
  test.each(['', '@%p1 ', '@%p2 '])('under the guard "%s", in registers that overlap', async (guard) => {
    const ptx = kernel(
      'u64 p, u64 out',
      `${ADDRESS} and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 1; ld.param.u64 %rd4, [out]; add.s64 %rd5, %rd4, %rd2; mov.u32 %r3, %ctaid.x; setp.eq.s32 %p2, %r3, 0;
mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000; cvt.rn.f32.u32 %f3, %r1; mov.f32 %f4, 0f40800000;
${guard}atom.global.add.v4.f32 {%f2, %f1, %f4, %f3}, [%rd3], {%f1, %f2, %f3, %f4};
st.global.v4.f32 [%rd5], {%f1, %f2, %f3, %f4};`,
    );
    const cells = Float32Array.from({ length: 4 * 37 }, (_, i) => 100 * i);
    const before = Float32Array.from(cells);
    const out = new Float32Array(cells.length);
    await runPtx(device, ptx, { block: 37, args: [cells, out] });
    for (let t = 0; t < 37; t++) {
      const [a, b, c, d] = before.subarray(4 * t);
      const on = guard !== '@%p1 ' || t % 2 === 1;
      const added = on ? [a! + 1, b! + 2, c! + t, d! + 4] : [a, b, c, d];
      expect([...cells.subarray(4 * t, 4 * t + 4)], `thread ${t}`).toEqual(added);
      expect([...out.subarray(4 * t, 4 * t + 4)], `thread ${t}`).toEqual(on ? [b, a, d, c] : [1, 2, t, 4]);
    }
  });

  test('a vector that is not aligned as a whole, or past the end, is a fault', async () => {
    const red = (offset: number) => `red.global.add.v4.f32 [%rd3+${offset}], {%f1, %f1, %f1, %f1};`;
    const ptx = (offset: number) => kernel('u64 p', `${ADDRESS} mov.f32 %f1, 0f3F800000;\n${red(offset)}`);
    const launch = { block: 8, args: [new Float32Array(32)] };
    await expectFault(device, ptx(8), launch, { kind: 'misaligned', at: red(8), thread: [0, 0, 0] });
    await expectFault(device, ptx(16), launch, { kind: 'out-of-bounds', at: red(16), thread: [7, 0, 0] });
  });

  test('counts as one request of four floats a lane', async () => {
    const ptx = kernel(
      'u64 p',
      `${ADDRESS} mov.f32 %f1, 0f3F800000; red.global.add.v4.f32 [%rd3], {%f1, %f1, %f1, %f1};`,
    );
    const facts = counterFacts([
      await profileOf(counting, ptx, { block: 32, args: [new Float32Array(128)] }),
    ]);
    expect(facts.value('global.atomic.requests')).toBe(1);
    expect(facts.value('global.atomic.sectors')).toBe(16);
    expect(facts.value('global.atomic.bytesRequested')).toBe(512);
    expect(facts.value('instructions.atomic')).toBe(32);
  });
});

describe('float32 sums in memory', () => {
  const TINY = 2 ** -140;
  const sum = (space: 'global' | 'shared', generic: boolean) =>
    kernel(
      'u64 p, u64 q',
      `.shared .align 4 .b8 cell[4]; ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [q]; ld.global.f32 %f1, [%rd1]; ld.global.f32 %f2, [%rd1+4];
${space === 'shared' ? 'mov.u64 %rd3, cell; cvta.shared.u64 %rd4, %rd3; st.shared.f32 [cell], %f1;' : 'mov.u64 %rd3, %rd2; mov.u64 %rd4, %rd2; st.global.f32 [%rd2], %f1;'}
${generic ? 'red.add.f32 [%rd4]' : `red.${space}.add.f32 [%rd3]`}, %f2;
ld.f32 %f3, [%rd4]; st.global.f32 [%rd2], %f3;`,
    );

  test.each([
    [TINY, TINY, 0, 2 * TINY],
    [-TINY, -TINY, -0, -2 * TINY],
    [TINY, 1, 1, 1],
    [2 ** -126, TINY, 2 ** -126, 2 ** -126 + TINY],
    [1.5 * 2 ** -126, -(2 ** -126), 0, 2 ** -127],
    [-1.5 * 2 ** -126, 2 ** -126, -0, -(2 ** -127)],
    [3, -1, 2, 2],
  ])('%f + %f have no subnormals in global memory, but in shared memory', async (x, y, global, shared) => {
    for (const generic of [false, true]) {
      for (const [space, wanted] of [
        ['global', global],
        ['shared', shared],
      ] as const) {
        const out = new Float32Array(1);
        await runPtx(device, sum(space, generic), { args: [Float32Array.of(x, y), out] });
        expect(f32Bits(out[0]!), `${space}, generic ${generic}`).toBe(f32Bits(wanted));
      }
    }
  });
});
