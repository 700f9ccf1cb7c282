import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { kernel, runPtx } from './support/run-ptx.js';
import { f32, f32Bits, f64, f64Bits } from './support/scalar-values.js';

const device = new EmulatorDevice({ cache: false, workers: 3 });
afterAll(() => device.close());

const GRID = 20;
const BLOCK = 96;
const THREADS = GRID * BLOCK;

type Type = 'u32' | 's32' | 'b32' | 'u64' | 's64' | 'b64' | 'f32' | 'f64';

interface Case {
  readonly op: string;
  readonly type: Type;
  readonly start: bigint;
  /** Operand of thread i. */
  readonly value: (i: bigint) => bigint;
  /** What is there when all threads have been, in any order. */
  readonly end: bigint;
}

const all = (of: (i: bigint) => bigint) => Array.from({ length: THREADS }, (_, i) => of(BigInt(i)));
const width = (type: Type) => Number(type.slice(1)) as 32 | 64;
const scrambled = (i: bigint) => BigInt.asUintN(64, (i + 1n) * 0x9e3779b97f4a7c15n);
const fold = (
  type: Type,
  start: bigint,
  value: (i: bigint) => bigint,
  of: (x: bigint, y: bigint) => bigint,
) => {
  const as = (x: bigint) =>
    type.startsWith('s') ? BigInt.asIntN(width(type), x) : BigInt.asUintN(width(type), x);
  return BigInt.asUintN(
    width(type),
    all(value).reduce((x, y) => as(of(as(x), as(y))), start),
  );
};
const least = (x: bigint, y: bigint) => [x, y].sort((a, b) => (a < b ? -1 : 1))[0]!;
const most = (x: bigint, y: bigint) => [x, y].sort((a, b) => (a < b ? 1 : -1))[0]!;

function integerCase(op: string, type: Type, of: (x: bigint, y: bigint) => bigint, start = 5n): Case {
  const value = (i: bigint) => BigInt.asUintN(width(type), scrambled(i));
  return { op, type, start, value, end: fold(type, start, value, of) };
}

const CASES: readonly Case[] = [
  ...(['u32', 'u64'] as const).map((type) => integerCase('add', type, (x, y) => x + y)),
  integerCase('add', 's32', (x, y) => x + y),
  ...(['u32', 's32', 'u64', 's64'] as const).flatMap((type) => [
    integerCase('min', type, least),
    integerCase('max', type, most),
  ]),
  ...(['b32', 'b64'] as const).flatMap((type) => [
    integerCase('and', type, (x, y) => x & y, (1n << BigInt(width(type))) - 1n),
    integerCase('or', type, (x, y) => x | y),
    integerCase('xor', type, (x, y) => x ^ y),
  ]),
  { op: 'inc', type: 'u32', start: 0n, value: () => 99n, end: BigInt(THREADS % 100) },
  { op: 'dec', type: 'u32', start: 0n, value: () => 99n, end: BigInt((100 - (THREADS % 100)) % 100) },
  // Sums of small whole numbers are exact in any order.
  {
    op: 'add',
    type: 'f32',
    start: f32Bits(0.5),
    value: (i) => f32Bits(Number(i % 7n)),
    end: f32Bits(0.5 + all((i) => i % 7n).reduce((x, y) => x + Number(y), 0)),
  },
  {
    op: 'add',
    type: 'f64',
    start: f64Bits(0.5),
    value: (i) => f64Bits(Number(i)),
    end: f64Bits(0.5 + (THREADS * (THREADS - 1)) / 2),
  },
];

/** `what` is atom or red; each thread takes its operand from `values`; atom leaves the old value in `old`. */
function text(
  what: 'atom' | 'red',
  { op, type }: Case,
  space: 'global' | 'shared' | 'generic',
  guard: string,
): string {
  const bits = width(type);
  const register = type === 'f32' ? '%f1' : type === 'f64' ? '%fd1' : bits === 64 ? '%rd20' : '%r20';
  const old = type === 'f32' ? '%f2' : type === 'f64' ? '%fd2' : bits === 64 ? '%rd21' : '%r21';
  const where = space === 'shared' ? '[cell]' : '[%rd10]';
  const spaced = space === 'generic' ? '' : `.${space}`;
  const instruction =
    what === 'atom'
      ? `atom${spaced}.${op}.${type} ${old}, ${where}, ${register};`
      : `red${spaced}.${op}.${type} ${where}, ${register};`;
  const typed = type.startsWith('f') ? type : `b${bits}`;
  return kernel(
    'u64 cell0, u64 values, u64 old',
    `.shared .align 8 .b8 cell[8]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.s32 %r3, %r2, ${BLOCK}, %r1; ld.param.u64 %rd10, [cell0];
mul.wide.u32 %rd1, %r3, 8; ld.param.u64 %rd2, [values]; add.s64 %rd3, %rd2, %rd1; ld.global.${typed} ${register}, [%rd3]; ld.param.u64 %rd4, [old]; add.s64 %rd5, %rd4, %rd1;
setp.eq.s32 %p2, %r1, 0; @%p2 ld.global.b64 %rd30, [%rd10]; @%p2 st.shared.b64 [cell], %rd30; bar.sync 0;
and.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 0; mov.${typed} ${old}, ${type === 'f32' ? '0f00000000' : type === 'f64' ? '0d0000000000000000' : '0'};
${guard}${instruction}
st.global.${typed} [%rd5], ${old};
bar.sync 0; @!%p2 ret; ${space === 'shared' ? `ld.shared.${typed} ${old}, [cell]; st.global.${typed} [%rd10], ${old};` : ''}`,
  );
}

async function run(ptx: string, one: Case, grid: number): Promise<{ cell: bigint; old: bigint[] }> {
  const cell = BigUint64Array.of(one.start);
  const old = new BigUint64Array(THREADS);
  await runPtx(device, ptx, { grid, block: BLOCK, args: [cell, BigUint64Array.from(all(one.value)), old] });
  return { cell: BigInt.asUintN(width(one.type), cell[0]!), old: [...old] };
}

describe.each(CASES)('$op.$type', (one) => {
  test.each(['global', 'generic'] as const)('from all threads, %s', async (space) => {
    expect((await run(text('red', one, space, ''), one, GRID)).cell).toBe(one.end);
    expect((await run(text('atom', one, space, ''), one, GRID)).cell).toBe(one.end);
  });

  test('in shared memory, one lane after the other, each getting the value before it', async () => {
    const sequence = all(one.value).slice(0, BLOCK);
    const { cell, old } = await run(text('atom', one, 'shared', ''), one, 1);
    // Every old value is the start or what one thread made; together they are a chain.
    const made = old.slice(0, BLOCK).map((before, i) => apply(one, before, sequence[i]!));
    const sorted = (values: readonly bigint[]) => [...values].sort((x, y) => (x < y ? -1 : x > y ? 1 : 0));
    expect(sorted([...made, one.start])).toEqual(sorted([...old.slice(0, BLOCK), cell]));
  });

  test('under a guard that lets every other lane through', async () => {
    const { old } = await run(text('atom', one, 'global', '@%p1 '), one, 1);
    expect(
      old
        .slice(0, BLOCK)
        .filter((_, i) => i % 2 === 1)
        .every((value) => value === 0n),
    ).toBe(true);
  });
});

/** One operation, on bits. */
function apply({ op, type }: Case, before: bigint, value: bigint): bigint {
  if (type === 'f32') return f32Bits(f32(before) + f32(value));
  if (type === 'f64') return f64Bits(f64(before) + f64(value));
  const as = (x: bigint) => (type.startsWith('s') ? BigInt.asIntN(width(type), x) : x);
  const of: Readonly<Record<string, (x: bigint, y: bigint) => bigint>> = {
    add: (x, y) => x + y,
    min: least,
    max: most,
    and: (x, y) => x & y,
    or: (x, y) => x | y,
    xor: (x, y) => x ^ y,
    inc: (x, y) => (x >= y ? 0n : x + 1n),
    dec: (x, y) => (x === 0n || x > y ? y : x - 1n),
  };
  return BigInt.asUintN(width(type), of[op]!(as(before), as(value)));
}

test('exchange and compare-and-swap hand values on without losing one', async () => {
  for (const bits of [32, 64] as const) {
    const [a, b] = bits === 64 ? ['%rd20', '%rd21'] : ['%r20', '%r21'];
    const ptx = kernel(
      'u64 cell, u64 old, u64 wins',
      `mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.s32 %r3, %r2, ${BLOCK}, %r1; add.s32 %r4, %r3, 1; cvt.u${bits}.u32 ${a}, %r4; ld.param.u64 %rd1, [cell];
atom.global.exch.b${bits} ${b}, [%rd1], ${a}; mul.wide.u32 %rd2, %r3, 8; ld.param.u64 %rd3, [old]; add.s64 %rd4, %rd3, %rd2; st.global.b${bits} [%rd4], ${b};
atom.global.cas.b${bits} ${b}, [%rd1+8], 0, ${a}; setp.ne.b${bits} %p1, ${b}, 0; @%p1 ret; ld.param.u64 %rd5, [wins]; red.global.add.u32 [%rd5], 1;`,
    );
    const cell = new BigUint64Array(2);
    const old = new BigUint64Array(THREADS);
    const wins = new Uint32Array(1);
    await runPtx(device, ptx, { grid: GRID, block: BLOCK, args: [cell, old, wins] });
    const seen = [...old, cell[0]!].map(Number).sort((x, y) => x - y);
    expect(seen).toEqual(Array.from({ length: THREADS + 1 }, (_, i) => i));
    expect(wins[0]).toBe(1);
    expect(Number(cell[1])).toBeGreaterThan(0);
  }
});
