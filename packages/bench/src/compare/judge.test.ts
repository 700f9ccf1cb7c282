import { expect, test } from 'vitest';
import { type Judgement, judge } from './judge.js';
import { type RoundFigure, randomOf } from './level.js';

const rule = { threshold: 0.03, confidence: 0.99 };
/** Rounds of a time, each off by some percent. */
const around = (time: number, off: readonly number[]): RoundFigure[] =>
  off.map((percent, i) => ({ round: i + 1, value: Math.log(time * (1 + percent / 100)) }));
const still = [0, 0, 0, 0, 0, 0, 0, 0];
const quiet = [0.1, -0.1, 0.2, -0.2, 0, 0.1, -0.1, 0];
const loud = [9, -8, 7, -9, 8, -7, -6, 6];

const judged = (from: number, to: number, noise: readonly number[], more = noise): Judgement =>
  judge(around(from, noise), around(to, more), rule);

test.each([
  ['same', 100, 100, quiet],
  ['same', 100, 102, quiet],
  ['slower', 100, 104, quiet],
  ['faster', 104, 100, quiet],
  ['unclear', 100, 100, loud],
  ['unclear', 100, 110, loud],
  ['slower', 100, 160, loud],
  ['same', 100, 103, still],
  ['slower', 100, 103.1, still],
] as const)('%s: from %d to %d', (verdict, from, to, noise) => {
  expect(judged(from, to, noise)).toMatchObject({ verdict });
});

test('what just reaches the threshold is unclear while the interval goes over it', () => {
  expect(judged(100, 102.9, quiet)).toMatchObject({ verdict: 'unclear' });
});

test('the change is that of the time, and lies in its interval', () => {
  const { change, interval } = judged(100, 105, quiet);
  expect(change).toBeCloseTo(0.05, 10);
  expect(interval?.low).toBeGreaterThan(0.04);
  expect(interval?.low).toBeLessThan(0.05);
  expect(interval?.high).toBeGreaterThan(0.05);
  expect(interval?.high).toBeLessThan(0.06);
});

test('exchanged sides give the opposite verdict and the inverse change', () => {
  const [there, back] = [judged(100, 104, quiet, loud), judged(104, 100, loud, quiet)];
  expect(there.verdict).toBe(back.verdict);
  expect((1 + there.change) * (1 + back.change)).toBeCloseTo(1, 12);
  expect((1 + (there.interval?.low ?? 0)) * (1 + (back.interval?.high ?? 0))).toBeCloseTo(1, 12);
  expect([judged(100, 104, quiet).verdict, judged(104, 100, quiet).verdict]).toEqual(['slower', 'faster']);
});

test('an unclear one says how many rounds would do; more than there are', () => {
  const { roundsNeeded = 0 } = judged(100, 106, loud);
  expect(roundsNeeded).toBeGreaterThan(8);
  expect(roundsNeeded).toBeLessThan(400);
  const more = Array.from({ length: Math.ceil((roundsNeeded * 1.5) / 8) }, () => loud).flat();
  expect(judged(100, 106, more).verdict).toBe('slower');
  expect(judged(100, 106, quiet).roundsNeeded).toBeUndefined();
});

test.each([1, 2, 4])('%d rounds are too few to say anything', (count) => {
  expect(judged(100, 200, still.slice(0, count), still)).toEqual({
    verdict: 'unclear',
    change: expect.closeTo(1, 10),
    roundsNeeded: 5,
  });
});

test('rounds that are all odd, or all even, are not taken for a run', () => {
  const alternating = around(100, [0, 6, 0, 6, 0, 6, 0, 6, 0, 6]);
  const half = (parity: number) => alternating.filter(({ round }) => round % 2 === parity);
  expect(judge(half(1), half(0), rule)).toMatchObject({
    verdict: 'unclear',
    change: expect.closeTo(0.06, 10),
  });
});

test('a threshold is a share, the same in both directions', () => {
  const at = (threshold: number, to: number) =>
    judge(around(100, still), around(to, still), { ...rule, threshold }).verdict;
  expect([at(0.25, 124), at(0.25, 126), at(0.25, 81), at(0.25, 79)]).toEqual([
    'same',
    'slower',
    'same',
    'faster',
  ]);
});

test('intervals hold the true change as often as they say, of normal and of alternating rounds', () => {
  const random = randomOf(11);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const run = (alternating: number) =>
    Array.from({ length: 15 }, (_, i) => ({
      round: i + 1,
      value: 0.01 * normal() + (i % 2) * alternating,
    }));
  const runs = 600;
  let [held, wide] = [0, 0];
  for (let i = 0; i < runs; i++) {
    const { interval } = judge(run(i % 2 === 0 ? 0 : 0.1), run(i % 2 === 0 ? 0 : -0.1), rule);
    const { low = Number.NaN, high = Number.NaN } = interval ?? {};
    // Of the alternating ones, the level itself moved by 10 %.
    const moved = i % 2 === 0 ? 0 : Math.expm1(-0.1);
    if (low <= moved && moved <= high) held++;
    wide = Math.max(wide, high - low);
  }
  expect(held / runs).toBeGreaterThan(0.98);
  expect(held / runs).toBeLessThan(1);
  expect(wide).toBeLessThan(0.05);
});
