/** How the entries of a matrix are made; the recorder for the GPU host makes the same. */
export type Filling = 'unit' | 'wide' | 'tiny' | 'special';

/** MurmurHash3's finaliser: a well-mixed word from a counter. */
function mix(word: number): number {
  let h = word >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b) >>> 0;
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) >>> 0;
  return (h ^ (h >>> 16)) >>> 0;
}

/** Power of two of an element's scale. */
function exponent(filling: Filling, word: number): number {
  if (filling === 'wide') return (word % 121) - 80;
  return filling === 'tiny' ? -(68 + (word % 8)) : 0;
}

const SPECIAL = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, -0];

/**
 * A row-major matrix of `length` elements: uniform in [−1, 1) with 24 significant bits, scaled by the filling.
 * `special` has an infinity, a NaN or a −0 in every sixteenth place on average.
 */
export function filled(length: number, seed: number, filling: Filling): Float32Array {
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) {
    const word = mix(Math.imul(i, 0x9e3779b1) + seed);
    const second = mix(word ^ 0x5bd1e995);
    const special = filling === 'special' && second % 64 < 4 ? SPECIAL[second % 64] : undefined;
    values[i] = special ?? ((word >>> 8) - 2 ** 23) * 2 ** (-23 + exponent(filling, second));
  }
  return values;
}

/** One NaN for all: their payloads differ between processors. */
export function withOneNaN(values: Float32Array): Uint32Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length).slice();
  for (let i = 0; i < words.length; i++) if (Number.isNaN(values[i])) words[i] = 0x7fc00000;
  return words;
}
