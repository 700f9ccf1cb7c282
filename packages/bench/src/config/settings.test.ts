import { expect, test } from 'vitest';
import { parseShare, parseSpan } from './quantities.js';
import { type BenchFields, flagOf, mergeFields, protocolFrom, sizesOf } from './settings.js';

const merge = (config: BenchFields, flags: BenchFields) =>
  mergeFields(
    { fields: config, name: (field) => `bench.${field} of ffma.config.ts` },
    { fields: flags, name: flagOf },
  );

const [one, two] = [
  { m: 1, n: 1, k: 1 },
  { m: 2, n: 2, k: 2 },
];

test('flags override the configuration field by field', () => {
  const config = { rounds: 3, launches: 5, l2: 'warm', graph: true, alpha: 2 } as const;
  expect(merge(config, { launches: 9, l2: 'cold', graph: false, beta: undefined })).toEqual({
    rounds: 3,
    launches: 9,
    l2: 'cold',
    graph: false,
    alpha: 2,
  });
});

test('sizes and a suite are one thing: either flag replaces both fields, and both flags are both', () => {
  const config = { sizes: [one], suite: 'shapes' };
  expect(merge(config, {})).toEqual(config);
  expect(merge(config, { sizes: [two] })).toEqual({ sizes: [two] });
  expect(merge(config, { suite: 'mine' })).toEqual({ suite: 'mine' });
  const both = merge({}, { sizes: [two, one], suite: 'mine' });
  expect(sizesOf(both, { mine: [one] })).toEqual([two, one]);
  expect(sizesOf({}, {})).toBeUndefined();
  expect(() => sizesOf({ suite: 'gone' }, { mine: [one] })).toThrow(/no suite 'gone'/);
});

test('one rule says how many rounds there are: a flag replaces another one of the configuration', () => {
  expect(merge({ rounds: 3 }, { untilCi: 0.01 })).toEqual({ untilCi: 0.01 });
  expect(merge({ untilCi: 0.01, maxRounds: 50 }, { rounds: 3 })).toEqual({ rounds: 3 });
  expect(merge({ untilCi: 0.01, maxRounds: 50 }, { maxRounds: 60 })).toEqual({
    untilCi: 0.01,
    maxRounds: 60,
  });
});

test('two rules at once are refused as they were written', () => {
  expect(() => merge({}, { rounds: 3, untilCi: 0.01 })).toThrow(
    '--rounds asks for a fixed number of rounds, and --until-ci for as many as it takes. Leave one out; --max-rounds',
  );
  expect(() => merge({ rounds: 3, untilCi: 0.01 }, {})).toThrow(
    'bench.rounds of ffma.config.ts asks for a fixed',
  );
  expect(() => merge({}, { maxRounds: 3 })).toThrow(
    '--max-rounds is about --until-ci, which is not asked for.',
  );
  expect(() => merge({ rounds: 3 }, { maxRounds: 3 })).toThrow('--max-rounds is about --until-ci');
  expect(() => merge({ maxRounds: 3 }, {})).toThrow(
    'bench.maxRounds of ffma.config.ts is about bench.untilCi of',
  );
});

test('a protocol has what was asked for, in its own words', () => {
  expect(protocolFrom({})).toEqual({});
  expect(protocolFrom({ rounds: 3, l2: 'warm', graph: false })).toEqual({
    rounds: 3,
    l2: 'warm',
    graph: false,
  });
  expect(protocolFrom({ untilCi: 0.01, maxRounds: 40, timeLimit: 5 })).toEqual({
    untilWidth: 0.01,
    rounds: 40,
    timeLimitMs: 5,
  });
});

test('shares and spans of time', () => {
  expect(['1%', '0.5 %', '.01', 0.02].map(parseShare)).toEqual([0.01, 0.005, 0.01, 0.02]);
  expect(['90', '90s', '1.5m', '10 min', '1h', '500ms', 2].map(parseSpan)).toEqual([
    90_000, 90_000, 90_000, 600_000, 3_600_000, 500, 2000,
  ]);
  for (const text of ['', '0', '100%', '1', '-1%', '1e-2', '%'])
    expect(() => parseShare(text), text).toThrow(/share/);
  for (const text of ['', '0', '-1s', '5 days', '1e3', 's', '5 toString'])
    expect(() => parseSpan(text), text).toThrow(/span of time/);
});
