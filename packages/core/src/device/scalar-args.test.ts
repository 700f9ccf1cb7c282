import { describe, expect, it } from 'vitest';
import { ArgumentError } from '../errors.js';
import { checkScalar, type ScalarType } from './scalar-args.js';

const check = (type: ScalarType, value: unknown) => () =>
  checkScalar(type, value, () => 'Argument k of main');

describe('checkScalar', () => {
  it.each([
    ['i32', -(2 ** 31)],
    ['i32', 2 ** 31 - 1],
    ['u32', 0],
    ['u32', 2 ** 32 - 1],
    ['i64', -(2n ** 63n)],
    ['i64', 2n ** 63n - 1n],
    ['i64', Number.MIN_SAFE_INTEGER],
    ['u64', 2n ** 64n - 1n],
    ['u64', Number.MAX_SAFE_INTEGER],
    ['f32', Number.NaN],
    ['f32', Number.NEGATIVE_INFINITY],
    ['f32', 1e-300],
    ['f32', -0],
    ['f64', 1e300],
  ] as const)('%s takes %s', (type, value) => {
    expect(check(type, value)).not.toThrow();
  });

  it.each([
    ['i32', Number.NaN, 'an integer in -2147483648..2147483647 but is NaN.'],
    ['i32', '4', "but is '4'."],
    ['i32', undefined, 'but is undefined.'],
    ['i32', 4n, 'but is 4n.'],
    ['i32', 1.5, 'but is 1.5.'],
    ['i32', 2 ** 31, 'but is 2147483648.'],
    ['u32', -1, 'an integer in 0..4294967295 but is -1.'],
    ['u64', -1n, 'an integer in 0..18446744073709551615, as a bigint past ±2^53, but is -1n.'],
    ['u64', -1, 'but is -1.'],
    ['u64', 2n ** 64n, 'but is 18446744073709551616n.'],
    ['u64', '1', "but is '1'."],
    ['u64', 1.5, 'but is 1.5.'],
    ['u64', 2 ** 53, 'but is 9007199254740992.'],
    ['i64', 2n ** 63n, 'an integer in -9223372036854775808..9223372036854775807'],
    ['f32', 'a', "a number that float32 can hold but is 'a'."],
    ['f32', undefined, 'but is undefined.'],
    ['f32', 1e300, 'but is 1e+300.'],
    ['f64', null, 'a number but is null.'],
  ] as const)('%s refuses %s', (type, value, message) => {
    expect(check(type, value)).toThrow(ArgumentError);
    expect(check(type, value)).toThrow(`Argument k of main is ${type}, so it must be `);
    expect(check(type, value)).toThrow(message);
  });
});
