import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { checkedOptions, type EmulatorOptions } from './options.js';

describe('checkedOptions', () => {
  test('what is left out', () => {
    expect(checkedOptions({})).toEqual({
      profile: 'h200',
      workers: availableParallelism(),
      checks: true,
      approximations: false,
      sanitizers: { memcheck: true, racecheck: true, initcheck: true, synccheck: true },
      counters: false,
      l2: undefined,
      fma: 'auto',
      cache: true,
    });
  });

  test('what is given', () => {
    const options = {
      profile: 'h200',
      workers: 256,
      checks: false,
      approximations: true,
      counters: true,
      fma: 'f64',
      cache: false,
    } as const;
    const off = { memcheck: false, racecheck: false, initcheck: false, synccheck: true };
    expect(checkedOptions(options)).toEqual({ ...options, sanitizers: off });
    expect(checkedOptions({ checks: { racecheck: false } }).sanitizers).toEqual({
      ...{ memcheck: true, initcheck: true, synccheck: true },
      racecheck: false,
    });
    const none = { memcheck: false, racecheck: false, initcheck: false, synccheck: false };
    expect(checkedOptions({ checks: none }).checks).toBe(false);
    expect(checkedOptions({ workers: 1 })).toMatchObject({ workers: 1, checks: true });
  });

  test.each([
    ['profile', 'a100', 'one of h200'],
    ['workers', 0, 'an integer in 1..256'],
    ['workers', '2', 'an integer in 1..256'],
    ['workers', Number.NaN, 'an integer in 1..256'],
    ['checks', 1, 'a boolean'],
    ['counters', 'on', 'a boolean or { l2 }'],
    ['counters', null, 'a boolean or { l2 }'],
    ['checks', { racechek: true }, 'made of memcheck, racecheck'],
    ['checks.racecheck', 'yes', 'a boolean'],
    ['cache', null, 'a boolean'],
    ['fma', 'exact', "'auto', 'relaxed' or 'f64'"],
    ['workers', 2n, 'an integer'],
  ])('%s: %o', (name, value, rule) => {
    const [first = '', inner] = name.split('.');
    const options = { [first]: inner === undefined ? value : { [inner]: value } };
    expect(() => checkedOptions(options as EmulatorOptions)).toThrow(
      expect.objectContaining({
        code: 'FFMA_ARGUMENT',
        message: expect.stringMatching(`${name} must be ${rule}`),
      }),
    );
  });

  test('an option that there is not', () => {
    expect(() => checkedOptions({ worker: 2 } as EmulatorOptions)).toThrow(
      /no option 'worker'; it has .*workers/,
    );
  });
});
