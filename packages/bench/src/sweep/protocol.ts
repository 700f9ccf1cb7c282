import { ArgumentError } from '@ffma/core';

/** How candidates are told apart: successive halving, and a final by the protocol of a confirmation. */
export interface SweepProtocol {
  /** One candidate of so many goes on from a rung to the next. Default 3. */
  readonly eta: number;
  /** Candidates in the final, at most. Default 5. */
  readonly finalists: number;
  /** Candidates that are timed in the same rounds, beside the reference; the final is one such heat. Default 8. */
  readonly heat: number;
  /** Rounds and launches of the first rung. Default 3 and 5. */
  readonly firstRounds: number;
  readonly firstLaunches: number;
  /** Rounds and launches of the final, and the most of any rung. Default 15 and 40. */
  readonly rounds: number;
  readonly launches: number;
  readonly l2: 'cold' | 'warm';
  /** Untimed work before each heat, in ms. Default 250. */
  readonly warmUpMs: number;
  /** Decides who is timed beside whom. Default 1. */
  readonly seed: number;
}

const defaults: SweepProtocol = {
  eta: 3,
  finalists: 5,
  heat: 8,
  firstRounds: 3,
  firstLaunches: 5,
  rounds: 15,
  launches: 40,
  l2: 'cold',
  warmUpMs: 250,
  seed: 1,
};

/** @throws ArgumentError */
export function sweepProtocol(options: Partial<SweepProtocol> = {}): SweepProtocol {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const protocol: SweepProtocol = { ...defaults, ...given };
  const least = {
    eta: 2,
    finalists: 1,
    heat: 1,
    firstRounds: 1,
    firstLaunches: 1,
    rounds: 1,
    launches: 1,
    seed: 0,
  };
  for (const [name, low] of Object.entries(least)) {
    const value = protocol[name as keyof typeof least];
    if (!Number.isSafeInteger(value) || value < low)
      throw new ArgumentError(`${name} must be an integer of at least ${low}, but is ${value}.`);
  }
  return protocol;
}

/** A rung of the ladder: how many enter it, and how each is timed. */
export interface Rung {
  /** From 0; the last one is the final. */
  readonly rung: number | 'final';
  readonly entrants: number;
  readonly rounds: number;
  readonly launches: number;
}

/**
 * The rungs that a field of candidates climbs. Each keeps one of `eta`, and spends as much time as the one before on
 * fewer candidates: rounds and launches both grow by √eta. What is left for the final is at most `finalists`.
 */
export function scheduleFor(field: number, protocol: SweepProtocol): Rung[] {
  const { eta, finalists, firstRounds, firstLaunches, rounds, launches } = protocol;
  const rungs: Rung[] = [];
  let entrants = field;
  for (let rung = 0; entrants > finalists; rung++) {
    const grown = eta ** (rung / 2);
    rungs.push({
      rung,
      entrants,
      rounds: Math.min(rounds, Math.round(firstRounds * grown)),
      launches: Math.min(launches, Math.round(firstLaunches * grown)),
    });
    entrants = Math.max(finalists, Math.ceil(entrants / eta));
  }
  return field === 0 ? [] : [...rungs, { rung: 'final', entrants, rounds, launches }];
}

/** Launches that are timed at a size, with those of the reference. */
export function launchesOf(rungs: readonly Rung[], { heat }: SweepProtocol): number {
  return rungs.reduce((sum, { rung, entrants, rounds, launches }) => {
    const heats = rung === 'final' ? 1 : Math.ceil(entrants / heat);
    return sum + rounds * launches * (entrants + heats);
  }, 0);
}
