import { describe, expect, test } from 'vitest';
import {
  addShape,
  affine,
  andShape,
  constant,
  join,
  mulShape,
  orShape,
  plain,
  type Shape,
  selectShape,
  shlShape,
  shrShape,
  subShape,
  trailingZeros,
  uniform,
  VARYING,
  widenShape,
} from './shape.js';

/** A reproducible generator (mulberry32): whole numbers in 0..n−1. */
function generator(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

const below = generator(7);
const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
const wrap = (width: number, value: bigint) => BigInt.asUintN(width, value);
const bits = (width: number): bigint => {
  let value = 0n;
  for (let i = 0; i < width; i += 16)
    value = (value << 16n) | BigInt(pick([below(65536), 0, 0xffff, below(40)]));
  return wrap(width, value);
};

/** A shape, and four lanes that it is true of. */
interface Sample {
  readonly shape: Shape;
  readonly lanes: readonly bigint[];
}

function sample(width: number): Sample {
  const kind = below(4);
  if (kind === 0) return { shape: VARYING, lanes: [0, 1, 2, 3].map(() => bits(width)) };
  if (kind === 1) {
    const value = pick([
      0n,
      1n,
      3n,
      4n,
      8n,
      12n,
      15n,
      31n,
      32n,
      255n,
      -1n,
      -4n,
      -16n,
      0x7fffffffn,
      -0x80000000n,
      bits(width),
    ]);
    return { shape: constant(value), lanes: [0, 1, 2, 3].map(() => wrap(width, value)) };
  }
  const align = pick([0, 1, 2, 3, 4, 5, 8, 12, 16]);
  const base = wrap(width, (bits(width) >> BigInt(align)) << BigInt(align));
  if (kind === 2) return { shape: uniform(align), lanes: [base, base, base, base] };
  const stride = pick([1, 1, 2, 3, 4, 5, 8, 16, 64, -1, -4, 1000]);
  const lanes = [0n, 1n, 2n, 3n].map((l) => wrap(width, base + l * BigInt(stride)));
  return { shape: affine(stride, align), lanes };
}

function expectTrue(shape: Shape, lanes: readonly bigint[], width: number, what: string): void {
  const text = `${what} → ${JSON.stringify({ ...shape, value: shape.value?.toString() })} of ${lanes.join(', ')}`;
  if (shape.stride !== undefined) {
    const stepped = lanes.map((_, l) => wrap(width, lanes[0]! + BigInt(shape.stride! * l)));
    expect(lanes, text).toEqual(stepped);
  }
  expect(lanes[0]! & ((1n << BigInt(shape.align)) - 1n), text).toBe(0n);
  if (shape.value !== undefined) {
    expect(shape.stride, text).toBe(0);
    expect(lanes[0], text).toBe(wrap(width, shape.value));
  }
}

const show = ({ shape, lanes }: Sample) =>
  `${JSON.stringify({ ...shape, value: shape.value?.toString() })} [${lanes.map((x) => `0x${x.toString(16)}`).join(' ')}]`;

type Operation = readonly [
  rule: (x: Shape, y: Shape) => Shape,
  of: (x: bigint, y: bigint, width: number) => bigint,
];

const shifted = (by: bigint, width: number) => (by > BigInt(width) ? BigInt(width) : by);
const OPERATIONS: Readonly<Record<string, Operation>> = {
  add: [addShape, (x, y) => x + y],
  sub: [subShape, (x, y) => x - y],
  mul: [mulShape, (x, y) => x * y],
  and: [andShape, (x, y) => x & y],
  or: [orShape, (x, y) => x | y],
  xor: [orShape, (x, y) => x ^ y],
  shl: [shlShape, (x, y, width) => x << shifted(BigInt.asUintN(32, y), width)],
  'shr unsigned': [shrShape, (x, y, width) => x >> shifted(BigInt.asUintN(32, y), width)],
  'shr signed': [shrShape, (x, y, width) => BigInt.asIntN(width, x) >> shifted(BigInt.asUintN(32, y), width)],
  plain: [plain, (x, y) => x ^ (y * 7n)],
};

describe('what a rule says of a result is true of every value that the operands can have', () => {
  test.each(Object.entries(OPERATIONS))('%s', (name, [rule, of]) => {
    for (let i = 0; i < 4000; i++) {
      const width = pick([32, 64]);
      const [x, y] = [sample(width), sample(width)];
      const lanes = x.lanes.map((lane, l) => wrap(width, of(lane, y.lanes[l]!, width)));
      expectTrue(rule(x.shape, y.shape), lanes, width, `${name} ${show(x)} ${show(y)}`);
    }
  });

  test('widening, signed and unsigned', () => {
    for (let i = 0; i < 4000; i++) {
      const x = sample(32);
      const shape = widenShape(x.shape);
      expectTrue(shape, x.lanes, 64, `unsigned ${show(x)}`);
      expectTrue(
        shape,
        x.lanes.map((lane) => wrap(64, BigInt.asIntN(32, lane))),
        64,
        `signed ${show(x)}`,
      );
    }
  });

  test('selection and join: either value', () => {
    for (let i = 0; i < 4000; i++) {
      const [x, y] = [sample(32), sample(32)];
      const joined = join(x.shape, y.shape);
      const selected = selectShape(x.shape, y.shape, uniform());
      for (const { lanes } of [x, y]) {
        expectTrue(joined, lanes, 32, `join ${show(x)} ${show(y)}`);
        expectTrue(selected, lanes, 32, `select ${show(x)} ${show(y)}`);
      }
      const mixed = x.lanes.map((lane, l) => (l % 2 === 0 ? lane : y.lanes[l]!));
      expectTrue(selectShape(x.shape, y.shape, VARYING), mixed, 32, `select by lane ${show(x)} ${show(y)}`);
    }
  });
});

describe('what is found of common address arithmetic', () => {
  const tid = affine(1, 2);

  test('a thread index scaled and offset steps by its scale', () => {
    expect(mulShape(tid, constant(4n))).toEqual({ stride: 4, align: 4 });
    expect(shlShape(tid, constant(2n)).stride).toBe(4);
    expect(addShape(mulShape(tid, constant(16n)), uniform(8)).stride).toBe(16);
    expect(widenShape(mulShape(tid, constant(4n)))).toEqual({ stride: 4, align: 4 });
  });

  test('the row and column of a thread in a tile', () => {
    expect(shrShape(tid, constant(4n)).stride).toBe(0);
    expect(andShape(tid, constant(15n)).stride).toBe(1);
    expect(andShape(tid, constant(-4n))).toMatchObject({ stride: 0, align: 2 });
    expect(orShape(shlShape(tid, constant(2n)), uniform(6)).stride).toBe(4);
  });

  test('nothing where a carry may pass', () => {
    expect(widenShape(affine(1, 0))).toEqual(VARYING);
    expect(andShape(affine(1, 0), constant(7n))).toEqual(VARYING);
    expect(orShape(tid, uniform(1))).toEqual(VARYING);
    expect(affine(2 ** 30, 2)).toEqual(VARYING);
  });

  test('powers of two that divide a number', () => {
    expect([0n, 1n, 12n, -8n, 1n << 40n].map(trailingZeros)).toEqual([31, 0, 2, 3, 31]);
  });
});
