import { describe, expect, test } from 'vitest';
import { Random } from '../data/random.js';
import { exactFma } from '../test-support/exact-fma.js';
import { bitsOf, floatOf, hexWord } from './bits.js';
import { fma32, fmaRow } from './fma32.js';

function expectExact(x: number, y: number, z: number): void {
  const got = fma32(x, y, z);
  const want = exactFma(x, y, z);
  expect(hexWord(bitsOf(got)), `fma(${x}, ${y}, ${z})`).toBe(hexWord(bitsOf(want)));
  const row = new Float32Array([z]);
  fmaRow(row, x, new Float32Array([0, y]), 1);
  expect(Object.is(row[0], got), `fmaRow(${x}, ${y}, ${z})`).toBe(true);
}

describe('fma32', () => {
  // Products that differ from 2^-24, half a last place of 1, by less than float64 can hold beside 1.
  const justBelowHalf = (i: number) => [1 + i * 2 ** -23, 2 ** -24 * (1 - i * 2 ** -23)] as const;
  const justAboveHalf = [1 + 2 ** -12, 2 ** -24 * (1 - 2 ** -12 + 2 ** -24)] as const;

  test('a sum just off a tie rounds to its own side, where rounding twice does not', () => {
    const odd = 1 + 2 ** -23;
    const [x, y] = justBelowHalf(1);
    expect(Math.fround(x * y + odd)).toBe(1 + 2 ** -22);
    expect(fma32(x, y, odd)).toBe(odd);
    const [v, w] = justAboveHalf;
    expect(Math.fround(v * w + 1)).toBe(1);
    expect(fma32(v, w, 1)).toBe(odd);
  });

  test('near ties of every sign, parity and scale', () => {
    for (const [x, y] of [
      justBelowHalf(1),
      justBelowHalf(77),
      justBelowHalf(2047),
      justAboveHalf,
      [1, 2 ** -24] as const,
    ]) {
      for (let last = 0; last < 16; last++) {
        for (const scale of [1, 2 ** 40, 2 ** -60]) {
          for (const sign of [1, -1]) {
            expectExact(x, sign * y * scale, (1 + last * 2 ** -23) * scale);
            expectExact(x, sign * y * scale, -(1 + last * 2 ** -23) * scale);
            // Where the sum's last word is all zeros, rounding to odd borrows from the high word.
            expectExact(x * 2 ** -20, sign * y * scale, (1 + last * 2 ** -23) * scale);
          }
        }
      }
    }
  });

  test('the samples hold many sums that double rounding gets wrong', () => {
    const random = new Random(7);
    let wrong = 0;
    for (let i = 0; i < 4000; i++) {
      const z = floatOf(0x3f800000 | (random.word() >>> 9));
      const [x, y] = random.below(2) === 0 ? justBelowHalf(1 + random.below(2047)) : justAboveHalf;
      const signed = random.below(2) === 0 ? y : -y;
      if (Math.fround(x * signed + z) !== fma32(x, signed, z)) wrong++;
      expectExact(x, signed, z);
    }
    expect(wrong).toBeGreaterThan(1000);
  });

  test('subnormal results are rounded once', () => {
    const random = new Random(3);
    for (let i = 0; i < 20_000; i++) {
      const x = floatOf((random.word() & 0x807fffff) | ((20 + (random.word() % 60)) << 23));
      const y = floatOf((random.word() & 0x807fffff) | ((20 + (random.word() % 60)) << 23));
      const z = floatOf(random.word() & 0x80ffffff);
      expectExact(x, y, z);
    }
    // Half of the least subnormal: a tie to even, a little more, a little less.
    expectExact(2 ** -75, 2 ** -75, 0);
    expectExact(2 ** -75 * (1 + 2 ** -23), 2 ** -75, 0);
    expectExact(2 ** -75 * (1 - 2 ** -24), 2 ** -75, 0);
    expectExact(2 ** -75, 2 ** -75, 2 ** -149);
    expectExact(2 ** -75, -(2 ** -75), 2 ** -126);
  });

  test('random words of every exponent', () => {
    const random = new Random(11);
    for (let i = 0; i < 30_000; i++) {
      const [x, y, z] = [floatOf(random.word()), floatOf(random.word()), floatOf(random.word())];
      if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)) expectExact(x, y, z);
    }
  });

  test('overflow, infinities, NaN and signs of zero', () => {
    const max = floatOf(0x7f7fffff);
    expect(fma32(max, 2, 0)).toBe(Number.POSITIVE_INFINITY);
    expectExact(max, 1, 2 ** 103);
    expectExact(max, 1, 2 ** 103 * (1 - 2 ** -24));
    expect(fma32(max, 1, floatOf(bitsOf(2 ** 103) - 1))).toBe(max);
    expect(fma32(Number.POSITIVE_INFINITY, 0, 1)).toBeNaN();
    expect(fma32(Number.POSITIVE_INFINITY, 1, Number.NEGATIVE_INFINITY)).toBeNaN();
    expect(fma32(Number.NaN, 1, 1)).toBeNaN();
    expect(fma32(1, 1, Number.NaN)).toBeNaN();
    expect(fma32(-0, 1, -0)).toBe(-0);
    expect(fma32(-0, 1, 0)).toBe(0);
    expect(fma32(1, 1, -1)).toBe(0);
  });
});
