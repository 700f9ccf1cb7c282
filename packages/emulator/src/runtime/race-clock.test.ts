import { describe, expect, test } from 'vitest';
import { QUAD } from '../layout.js';
import { RaceClock } from './race-clock.js';
import { mergedEntry, RACE, RACE_PLANE, stampOf, warpOf, whoOf } from './race-word.js';

const STATE = 256;
const PITCH = 64;

/** Three warps; their groups' headers come first, then the planes. */
function clock() {
  const threads = 96;
  const planes = (threads / 4) * STATE;
  const i32 = new Int32Array((planes + RACE_PLANE.count * PITCH) / 4);
  const made = new RaceClock(i32, { ctx: 0, states: 0, stateBytes: STATE, threads, planes, pitch: PITCH });
  const header = (thread: number, field: number) => i32[((thread >> 2) * STATE + QUAD.race) / 4 + field]!;
  return {
    clock: made,
    i32,
    planes: planes / 4,
    entry: (thread: number) => header(thread, 0) + (thread & 3),
    all: (thread: number) => header(thread, 1),
    safe: (thread: number) => header(thread, 2),
  };
}

describe('RaceClock', () => {
  test('without a barrier only what a thread itself did comes first', () => {
    const { clock: c, entry } = clock();
    expect(c.ordered(entry(5), entry(5))).toBe(true);
    expect(c.ordered(entry(5), entry(6))).toBe(false);
    expect(c.ordered(entry(5), entry(40))).toBe(false);
    expect(c.ordered(0, entry(5))).toBe(true);
  });

  test('a barrier of the block orders all, and all of it is safe', () => {
    const { clock: c, entry, safe } = clock();
    const before = [entry(5), entry(40), mergedEntry(entry(5), entry(40))];
    c.syncAll();
    for (const old of before) {
      expect(c.ordered(old, entry(70))).toBe(true);
      expect(old).toBeLessThan(safe(70));
    }
    expect(entry(40)).toBeGreaterThanOrEqual(safe(70));
  });

  test('a barrier of one warp orders its lanes alone', () => {
    const { clock: c, entry, safe } = clock();
    const old = entry(5);
    c.sync([0]);
    expect(c.ordered(old, entry(6))).toBe(true);
    expect(c.ordered(old, entry(40))).toBe(false);
    // It is not before everything, so that translated code asks.
    expect(old).toBeGreaterThanOrEqual(safe(6));
  });

  test('warps that have met pass on what they had seen', () => {
    const { clock: c, entry } = clock();
    const old = entry(5);
    c.sync([0, 1]);
    expect(c.ordered(old, entry(40))).toBe(true);
    expect(c.ordered(old, entry(70))).toBe(false);
    c.sync([1, 2]);
    expect(c.ordered(old, entry(70))).toBe(true);
  });

  test('what is released is seen by who acquires it, and what comes after is not', () => {
    const { clock: c, entry } = clock();
    const old = entry(5);
    c.release(0, 3);
    const later = entry(5);
    c.acquire(2, 4);
    expect(c.ordered(old, entry(70))).toBe(false);
    c.acquire(2, 3);
    expect(c.ordered(old, entry(70))).toBe(true);
    expect(c.ordered(later, entry(70))).toBe(false);
  });

  test('reads of several warps are ordered only if some other warp has been met', () => {
    const { clock: c, entry } = clock();
    const many = mergedEntry(entry(5), entry(40));
    c.sync([2]);
    expect(c.ordered(many, entry(70))).toBe(false);
    c.sync([0, 1, 2]);
    expect(c.ordered(many, entry(70))).toBe(true);
  });

  test('starts again when its stamps end, with nothing known', () => {
    const { clock: c, entry, i32, planes } = clock();
    i32[planes] = entry(5);
    for (let turn = 0; turn < RACE.lastStamp; turn++) c.sync([1]);
    expect(i32[planes]).toBe(0);
    expect(stampOf(entry(40))).toBeLessThan(RACE.lastStamp);
    expect(entry(40)).toBeGreaterThan(0);
    expect(c.ordered(entry(5), entry(6))).toBe(false);
  });
});

test('entries of several become one', () => {
  const entry = (stamp: number, who: number) => (stamp << RACE.stampShift) | who;
  expect(mergedEntry(entry(3, 7), entry(4, 7))).toBe(entry(4, 7));
  expect(whoOf(mergedEntry(entry(3, 7), entry(3, 8)))).toBe(RACE.warp);
  expect(warpOf(whoOf(mergedEntry(entry(3, 39), entry(3, 40))))).toBe(1);
  expect(mergedEntry(entry(9, RACE.warp + 1), entry(3, 40))).toBe(entry(9, RACE.warp + 1));
  expect(whoOf(mergedEntry(entry(3, 7), entry(3, 40)))).toBe(RACE.many);
  expect(warpOf(RACE.many)).toBeUndefined();
  expect(mergedEntry(entry(3, 7) | RACE.atomic, entry(3, 7) | RACE.atomic) & RACE.atomic).toBe(RACE.atomic);
  expect(mergedEntry(entry(3, 7) | RACE.atomic, entry(3, 7)) & RACE.atomic).toBe(0);
});
