import { Random } from './random-program.js';
import { f32, f32Bits } from './scalar-values.js';

export interface Triples {
  readonly a: Float32Array;
  readonly b: Float32Array;
  readonly c: Float32Array;
}

const ulp = 2 ** -23;

/** Products and sums at which rounding twice goes wrong, or where a rule of IEEE 754 decides. */
function directed(): [number, number, number][] {
  const list: [number, number, number][] = [];
  // 1 + i·ulp times 2^-24·(1 − i·ulp) is just below half a last place of 1; the other product is just above.
  const nearHalf: [number, number][] = [
    [1, 2 ** -24],
    [1 + ulp, 2 ** -24 * (1 - ulp)],
    [1 + 77 * ulp, 2 ** -24 * (1 - 77 * ulp)],
    [1 + 2 ** -12, 2 ** -24 * (1 - 2 ** -12 + 2 ** -24)],
  ];
  for (const [a, b] of nearHalf) {
    for (const scale of [1, 2 ** 40, 2 ** -60]) {
      for (let last = 0; last < 8; last++) {
        for (const sign of [1, -1])
          list.push(
            [a, sign * b * scale, (1 + last * ulp) * scale],
            [a, sign * b * scale, -(1 + last * ulp) * scale],
          );
      }
    }
  }
  // Subnormal results: halves of the last place 2^-149, with and without something below them.
  for (let i = 0; i < 12; i++) {
    for (const sign of [1, -1]) {
      list.push(
        [2 ** -75, sign * 2 ** -75 * (1 + i * ulp), i * 2 ** -149],
        [2 ** -100, sign * 2 ** -50, i * 2 ** -149],
      );
      list.push(
        [2 ** -63 * (1 + i * ulp), sign * 2 ** -63 * (1 - ulp), 0],
        [1 - ulp, sign * 2 ** -126, i * 2 ** -149],
        [2 ** -149, sign * 0.5, 2 ** -126],
      );
    }
  }
  // Beside a subnormal addend: just below, at and just above half its last place, by less than float64 can hold.
  for (const [a, b] of nearHalf) {
    for (let last = 0; last < 6; last++) {
      for (const sign of [1, -1]) {
        const c = 2 ** -127 + last * 2 ** -149;
        list.push([a * 2 ** -63, sign * b * 2 ** -63, c], [a * 2 ** -63, sign * b * 2 ** -63, -c]);
      }
    }
  }
  const special = [
    0,
    -0,
    1,
    -1,
    2 ** -149,
    3.4028234663852886e38,
    -3.4028234663852886e38,
    Infinity,
    -Infinity,
    NaN,
    2 ** -126,
    2 ** 64,
  ];
  for (const a of special) for (const b of special) for (const c of special) list.push([a, b, c]);
  // Past the largest float32 by half a last place, and by just less.
  list.push(
    [2 ** 64, 2 ** 63, 2 ** 127 * (1 - 2 ** -24)],
    [2 ** 63, 2 ** 64, 2 ** 103],
    [1 - 2 ** -24, 2 ** 127, 2 ** 127],
  );
  return list;
}

/** Directed triples, then random ones of several kinds, `count` in all. */
export function fmaTriples(count: number): Triples {
  const random = new Random(2024);
  const word = () => BigInt(random.below(2 ** 32));
  const any = () => f32(word());
  const moderate = () => f32((word() & 0x807fffffn) | (BigInt(120 + random.below(14)) << 23n));
  const tiny = () => f32((word() & 0x807fffffn) | (BigInt(random.below(70)) << 23n));
  const near = (x: number) => f32(f32Bits(x) ^ BigInt(random.below(4)));
  const few = () => f32(f32Bits(moderate()) & 0xffff8000n);
  const make: (() => [number, number, number])[] = [
    () => [any(), any(), any()],
    () => [moderate(), moderate(), moderate()],
    // What is left after cancellation.
    () => {
      const [a, b] = [moderate(), moderate()];
      return [a, b, near(-a * b)];
    },
    () => [tiny(), moderate(), tiny()],
    () => [tiny(), near(2 ** -60), f32(word() & 0x800000ffn)],
    // Short factors: products that end just where a tie is.
    () => [few(), few(), moderate()],
    () => [few(), few() * 2 ** -20, moderate()],
  ];
  const list = directed();
  while (list.length < count) list.push(random.pick(make)());
  const column = (i: 0 | 1 | 2) => Float32Array.from(list, (triple) => triple[i]);
  return { a: column(0), b: column(1), c: column(2) };
}
