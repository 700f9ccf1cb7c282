import { expect, test } from 'vitest';
import { protocolOf } from './protocol.js';
import { TimeLeft } from './time-left.js';
import { type SizeWork, totalMs, workOf } from './work.js';

const work = (check: number, round: number): SizeWork => ({
  compile: { count: 0, eachMs: 8000 },
  data: { count: 1, eachMs: 10 },
  judge: { count: 0, eachMs: 1000 },
  check: { count: 2, eachMs: check },
  round: { count: 4, eachMs: round },
});

/** A clock that somebody turns. */
function clock() {
  let time = 0;
  return {
    now: () => time,
    turn: (ms: number) => {
      time += ms;
    },
  };
}

test('nothing is known before anything was measured', () => {
  const left = new TimeLeft([work(10, 100)], clock().now);
  left.beginSize(0);
  expect(left.ms).toBeUndefined();
  left.begin('data');
  expect(left.ms).toBeUndefined();
});

test('what took twice as long as estimated will do so again; what was not yet measured is as estimated', () => {
  const { now, turn } = clock();
  const left = new TimeLeft([work(10, 100)], now);
  left.beginSize(0);
  left.begin('data');
  turn(10);
  left.begin('check');
  turn(20);
  left.begin('check');
  // The second check of 20 ms, which has just begun, and 4 rounds of 100.
  expect(left.ms).toBeCloseTo(20 + 400, 9);
  turn(15);
  expect(left.ms).toBeCloseTo(5 + 400, 9);
  left.begin('round');
  expect(left.ms).toBeCloseTo(400, 9);
  turn(300);
  left.begin('round');
  expect(left.ms).toBeCloseTo(3 * 300, 9);
});

test('later sizes follow from earlier ones by what estimates say of both; rounds of a size from its own', () => {
  const { now, turn } = clock();
  const left = new TimeLeft([work(10, 100), work(10, 1000)], now);
  left.beginSize(0);
  left.begin('data');
  turn(10);
  for (const kind of ['check', 'check', 'round', 'round', 'round', 'round'] as const) {
    left.begin(kind);
    turn(kind === 'check' ? 10 : 50);
  }
  left.beginSize(1);
  // 10 of data, two checks of 10, and rounds at half of what they were estimated at.
  expect(left.ms).toBeCloseTo(10 + 20 + 4 * 500, 9);
  left.begin('data');
  turn(10);
  left.begin('round');
  turn(2000);
  left.begin('round');
  // Checks that were left out because nothing passed are not waited for, but those after the rounds are.
  expect(left.ms).toBeCloseTo(20 + 3 * 2000, 9);
});

test('a round that is run again is more work, not less', () => {
  const { now, turn } = clock();
  const left = new TimeLeft([work(10, 100)], now);
  left.beginSize(0);
  for (let i = 0; i < 6; i++) {
    left.begin('round');
    turn(100);
  }
  expect(left.ms).toBe(20);
});

test('work grows with size, kernels, rounds, launches and the batch', () => {
  const assumed = { tflops: 50, flushBytes: 2 ** 28 };
  const two = { all: 2, taking: 2, compiled: 0 };
  const of = (size: Parameters<typeof workOf>[0], protocol = {}, who = two) =>
    totalMs(workOf(size, who, protocolOf(protocol), assumed));
  const size = { m: 1024, n: 1024, k: 1024 };
  const base = of(size);
  expect(of({ ...size, k: 8192 })).toBeGreaterThan(1.2 * base);
  expect(of({ ...size, batch: 8 })).toBeGreaterThan(1.2 * base);
  expect(of(size, { rounds: 30 })).toBeGreaterThan(base);
  expect(of(size, { launches: 80 })).toBeGreaterThan(base);
  expect(of(size, {}, { ...two, all: 4, taking: 4 })).toBeGreaterThan(base);
  expect(of(size, {}, { ...two, compiled: 2 })).toBeGreaterThan(base + 10_000);
  expect(of(size, {}, { ...two, taking: 1 })).toBeLessThan(base);
  expect(workOf(size, { ...two, taking: 0 }, protocolOf(), assumed).round.count).toBe(0);
  expect(of(size, { timeLimitMs: 50 })).toBeLessThan(base);
  // 15 rounds of 2 kernels of 41 launches of 0.2 ms: about a third of a second.
  const { round } = workOf(size, two, protocolOf(), assumed);
  expect(round.count * round.eachMs).toBeGreaterThan(150);
  expect(round.count * round.eachMs).toBeLessThan(600);
});
