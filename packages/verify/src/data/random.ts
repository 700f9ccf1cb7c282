const MASK = 0xffff_ffff_ffff_ffffn;

/**
 * SplitMix64: spreads a seed of any quality over whole words.
 * Source: G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014;
 * public-domain code at https://prng.di.unimi.it/splitmix64.c.
 */
export function splitMix64(seed: bigint): () => bigint {
  let state = seed & MASK;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & MASK;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return z ^ (z >> 31n);
  };
}

const rotateLeft = (x: number, by: number): number => (x << by) | (x >>> (32 - by));

/**
 * xoshiro128**, seeded by SplitMix64: the same numbers on every machine.
 * Source: D. Blackman, S. Vigna, Scrambled linear pseudorandom number generators, ACM TOMS 47(4), 2021;
 * public-domain code at https://prng.di.unimi.it/xoshiro128starstar.c.
 */
export class Random {
  readonly #s = new Int32Array(4);

  /** @param seed an integer, or the four words of the generator's state */
  constructor(seed: number | readonly [number, number, number, number]) {
    if (typeof seed !== 'number') {
      this.#s.set(seed);
      return;
    }
    const next = splitMix64(BigInt(seed));
    for (const i of [0, 2]) {
      const word = next();
      this.#s[i] = Number(BigInt.asIntN(32, word));
      this.#s[i + 1] = Number(BigInt.asIntN(32, word >> 32n));
    }
  }

  /** An integer in [0, 2^32). */
  word(): number {
    const s = this.#s;
    const [s0, s1, s2, s3] = [s[0]!, s[1]!, s[2]!, s[3]!];
    const result = Math.imul(rotateLeft(Math.imul(s1, 5), 7), 9) >>> 0;
    const x2 = s2 ^ s0;
    const x3 = s3 ^ s1;
    s[1] = s1 ^ x2;
    s[0] = s0 ^ x3;
    s[2] = x2 ^ (s1 << 9);
    s[3] = rotateLeft(x3, 11);
    return result;
  }

  /** An integer in [0, below), for `below` up to 2^21 (then the bias is under 2^-11 of an even share). */
  below(below: number): number {
    return Math.floor((this.word() / 2 ** 32) * below);
  }

  /** An integer in [least, most]. */
  integer(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  /** Uniform in [−1, 1), a multiple of 2^-23, so exact in float32. */
  uniform(): number {
    return (this.word() >>> 8) * 2 ** -23 - 1;
  }

  /** Nearly normal, mean 0, variance 1: twelve uniforms, a sum that no mathematical library can change. */
  normal(): number {
    let sum = 0;
    for (let i = 0; i < 12; i++) sum += this.word() * 2 ** -32;
    return Math.fround(sum - 6);
  }
}
