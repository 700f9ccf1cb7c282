import { ArgumentError } from '../errors.js';
import { shown } from './shown.js';

export type ScalarType = 'i32' | 'u32' | 'i64' | 'u64' | 'f32' | 'f64';

const words = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1] } as const;
const longs = { i64: [-(2n ** 63n), 2n ** 63n - 1n], u64: [0n, 2n ** 64n - 1n] } as const;

/** What a value must be that is not; undefined where it is. */
function brokenRule(type: ScalarType, value: unknown): string | undefined {
  if (type === 'f64') return typeof value === 'number' ? undefined : 'a number';
  if (type === 'f32') {
    const held =
      typeof value === 'number' && (Number.isFinite(Math.fround(value)) || !Number.isFinite(value));
    return held ? undefined : 'a number that float32 can hold';
  }
  if (type === 'i32' || type === 'u32') {
    const [least, most] = words[type];
    const held = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
    return held ? undefined : `an integer in ${least}..${most}`;
  }
  const [least, most] = longs[type];
  const long = Number.isSafeInteger(value) ? BigInt(value as number) : value;
  if (typeof long === 'bigint' && long >= least && long <= most) return undefined;
  return `an integer in ${least}..${most}, as a bigint past ±2^53,`;
}

/**
 * Checks that a parameter of this type can hold a value as it is: nothing is cut, wrapped or made a number of.
 * @param what what messages call it
 * @throws ArgumentError
 */
export function checkScalar(type: ScalarType, value: unknown, what: () => string): void {
  const rule = brokenRule(type, value);
  if (rule !== undefined) {
    throw new ArgumentError(`${what()} is ${type}, so it must be ${rule} but is ${shown(value)}.`);
  }
}
