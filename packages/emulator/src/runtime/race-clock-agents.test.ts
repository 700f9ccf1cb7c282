import { describe, expect, it } from 'vitest';
import { QUAD } from '../layout.js';
import { RaceClock } from './race-clock.js';
import { RACE, RACE_PLANE, warpOf, whoOf } from './race-word.js';

const STATE = 256;
const PITCH = 64;
const AGENT = 3;

/** Three warps and two agents, 3 and 4. */
function clock() {
  const threads = 96;
  const planes = (threads / 4) * STATE;
  const i32 = new Int32Array((planes + RACE_PLANE.count * PITCH) / 4);
  const made = new RaceClock(i32, {
    ctx: 0,
    states: 0,
    stateBytes: STATE,
    threads,
    planes,
    pitch: PITCH,
    agents: 2,
  });
  const safe = (thread: number) => i32[((thread >> 2) * STATE + QUAD.race) / 4 + 2]!;
  return { clock: made, safe };
}

const asAgent = (agent: number) => RACE.warp + agent;

describe('agents that copy in bulk', () => {
  it('do what comes after all that their issuer has done, and no more', () => {
    const { clock: c } = clock();
    const [before, other] = [c.entry(5), c.entry(40)];
    c.issue(AGENT, 0);
    const after = c.entry(5);
    expect([before, other, after].map((entry) => c.ordered(entry, asAgent(AGENT)))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('have numbers behind those of the warps', () => {
    const { clock: c } = clock();
    expect(warpOf(whoOf(c.entryOf(AGENT)))).toBe(AGENT);
  });

  it('are seen by who has waited for them, up to then', () => {
    const { clock: c } = clock();
    c.issue(AGENT, 0);
    const first = c.entryOf(AGENT);
    const second = c.entryOf(AGENT);
    expect(c.ordered(first, c.entry(5))).toBe(false);
    c.waited(0, AGENT, first);
    expect([first, second].map((entry) => c.ordered(entry, c.entry(5)))).toEqual([true, false]);
    expect(c.ordered(first, c.entry(40))).toBe(false);
  });

  it('are seen by who acquires what they release', () => {
    const { clock: c } = clock();
    const entry = c.entryOf(AGENT);
    c.release(AGENT, 9);
    c.acquire(1, 9);
    expect([c.ordered(entry, c.entry(40)), c.ordered(entry, c.entry(5))]).toEqual([true, false]);
  });

  it('are not seen because of a barrier, unless somebody who met there had', () => {
    const { clock: c, safe } = clock();
    const entry = c.entryOf(AGENT);
    c.syncAll();
    expect([c.ordered(entry, c.entry(5)), entry < safe(5)]).toEqual([false, false]);
    c.waited(2, AGENT, entry);
    c.syncAll();
    expect([c.ordered(entry, c.entry(5)), entry < safe(5)]).toEqual([true, true]);
  });

  it('are not kept from what a block before has written, with no fence', () => {
    const { clock: c } = clock();
    const entries = [c.entry(5), c.entry(40), c.entryOf(AGENT)];
    c.start();
    expect(entries.map((entry) => [c.shown(entry, 0), c.ordered(entry, c.entry(70))])).toEqual([
      [true, true],
      [true, true],
      [true, true],
    ]);
    const own = c.entry(5);
    expect([c.shown(own, 0), c.ordered(own, asAgent(AGENT))]).toEqual([false, false]);
  });

  it('see what a fence has shown, or a fence of one who has seen it', () => {
    const { clock: c } = clock();
    const [own, other] = [c.entry(5), c.entry(40)];
    expect([c.shown(own, 0), c.shown(other, 0)]).toEqual([false, false]);
    c.showToAgents(0);
    expect([c.shown(own, 0), c.shown(other, 0), c.shown(c.entry(5), 0)]).toEqual([true, false, false]);
    c.showToAgents(1);
    c.sync([0, 1]);
    expect(c.shown(other, 0)).toBe(true);
  });

  it('of the block before are no concern of the next', () => {
    const { clock: c } = clock();
    const entry = c.entryOf(AGENT);
    c.start();
    expect(c.ordered(entry, c.entry(5))).toBe(true);
  });
});
