import { describe, expect, it } from 'vitest';
import { GlobalClock } from './global-clock.js';

/** Blocks 0 and 1 of two warps each, in slots 10 and 11; block 1's warps are 2 and 3 of the grid. */
function grid() {
  const clock = new GlobalClock(2);
  clock.start(10, 0);
  clock.start(11, 1);
  return clock;
}

const FLAG = 7;
/** Whether warp 0 of block 0 has seen what a warp of block 1 did in its first moment. */
const seen = (clock: GlobalClock, who = 2) => clock.hasSeen(10, 0, who, 1);

describe('clocks of blocks', () => {
  it('know nothing of each other at first', () => {
    expect([seen(grid()), grid().at(11, 1)]).toEqual([false, { first: 2, who: 3, now: 1 }]);
  });

  it('order what was released before what acquires it', () => {
    const clock = grid();
    clock.wrote(11, 0, FLAG, true, false);
    clock.read(10, 0, FLAG, true);
    expect([seen(clock), clock.hasSeen(10, 1, 2, 1)]).toEqual([true, false]);
  });

  it('do not order what comes after a release', () => {
    const clock = grid();
    clock.wrote(11, 0, FLAG, true, false);
    clock.read(10, 0, FLAG, true);
    expect(clock.hasSeen(10, 0, 2, clock.at(11, 0).now)).toBe(false);
  });

  it('need a fence before a store that does not release, and after a load that does not acquire', () => {
    const without = grid();
    without.wrote(11, 0, FLAG, false, false);
    without.read(10, 0, FLAG, true);
    expect(seen(without)).toBe(false);
    const clock = grid();
    clock.fence(11, 0);
    clock.wrote(11, 0, FLAG, false, false);
    clock.read(10, 0, FLAG, false);
    expect(seen(clock)).toBe(false);
    clock.fence(10, 0);
    expect(seen(clock)).toBe(true);
  });

  it('pass on what a barrier has shown', () => {
    const clock = grid();
    clock.sync(11);
    clock.wrote(11, 0, FLAG, true, false);
    clock.read(10, 1, FLAG, true);
    clock.sync(10, [0, 1]);
    expect([seen(clock), seen(clock, 3)]).toEqual([true, true]);
  });

  it('keep what others have released when an atomic updates the word, and not when it is overwritten', () => {
    const clock = grid();
    clock.wrote(11, 0, FLAG, true, false);
    clock.wrote(11, 1, FLAG, true, true);
    clock.read(10, 0, FLAG, true);
    expect([seen(clock), seen(clock, 3)]).toEqual([true, true]);
    for (const overwrite of ['strong', 'plain'] as const) {
      const other = grid();
      other.wrote(11, 0, FLAG, true, false);
      if (overwrite === 'plain') other.overwritten(FLAG);
      else other.wrote(11, 1, FLAG, false, false);
      other.read(10, 0, FLAG, true);
      expect(seen(other), overwrite).toBe(false);
    }
  });

  it('start anew with another block', () => {
    const clock = grid();
    clock.wrote(11, 0, FLAG, true, false);
    clock.start(10, 5);
    expect([clock.at(10, 1).who, seen(clock)]).toEqual([11, false]);
  });
});
