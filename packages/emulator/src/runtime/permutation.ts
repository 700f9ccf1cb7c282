/** Mixes two words into one: the finaliser of MurmurHash3 (Appleby) over their combination. */
export function mix32(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ b;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const ROUNDS = 4;

/**
 * A permutation of 0 … count − 1 that needs no table, so that all workers have the same one: a Feistel network over
 * the next even power of two, walked until the result is in range (Black and Rogaway, "Ciphers with arbitrary finite
 * domains", 2002).
 *
 * @param count at most 2^32
 */
export function permutation(count: number, seed: number): (index: number) => number {
  let half = 1;
  while (2 ** (2 * half) < count) half++;
  const side = 2 ** half;
  const keys = Array.from({ length: ROUNDS }, (_, round) => mix32(seed, round));
  const once = (index: number): number => {
    let left = Math.floor(index / side);
    let right = index % side;
    for (const key of keys) [left, right] = [right, (left ^ mix32(key, right)) & (side - 1)];
    return left * side + right;
  };
  return (index) => {
    let at = once(index);
    while (at >= count) at = once(at);
    return at;
  };
}
