import { expect, test } from 'vitest';
import { launchesOf, scheduleFor, sweepProtocol } from './protocol.js';

const protocol = sweepProtocol();

test('each rung keeps a third and times it three times as long, and the final is a confirmation', () => {
  expect(scheduleFor(200, protocol)).toEqual([
    { rung: 0, entrants: 200, rounds: 3, launches: 5 },
    { rung: 1, entrants: 67, rounds: 5, launches: 9 },
    { rung: 2, entrants: 23, rounds: 9, launches: 15 },
    { rung: 3, entrants: 8, rounds: 15, launches: 26 },
    { rung: 'final', entrants: 5, rounds: 15, launches: 40 },
  ]);
});

test('few candidates go to the final at once; none have no schedule', () => {
  expect(scheduleFor(4, protocol)).toEqual([{ rung: 'final', entrants: 4, rounds: 15, launches: 40 }]);
  expect(scheduleFor(0, protocol)).toEqual([]);
});

test('no rung takes longer than the final, and every field comes to its end', () => {
  for (const [field, eta, finalists] of [
    [7, 2, 1],
    [5000, 4, 3],
    [100, 2, 99],
  ] as const) {
    const own = sweepProtocol({ eta, finalists });
    const rungs = scheduleFor(field, own);
    expect(rungs.at(-1)).toMatchObject({ rung: 'final', rounds: 15, launches: 40 });
    expect(rungs.at(-1)?.entrants).toBeLessThanOrEqual(finalists);
    expect(rungs.every(({ rounds, launches }) => rounds <= 15 && launches <= 40)).toBe(true);
  }
});

test('launches are those of the candidates, and of the reference in each heat', () => {
  const own = sweepProtocol({
    heat: 4,
    finalists: 5,
    rounds: 2,
    launches: 10,
    firstRounds: 1,
    firstLaunches: 2,
  });
  expect(launchesOf(scheduleFor(9, own), own)).toBe(1 * 2 * (9 + 3) + 2 * 10 * (5 + 1));
});

test.each([{ eta: 1 }, { finalists: 0 }, { rounds: 1.5 }, { seed: -1 }, { heat: Number.NaN }])(
  '%j is refused',
  (wrong) => {
    expect(() => sweepProtocol(wrong)).toThrow(/must be an integer of at least/);
  },
);
