// How often ffma compare is right, by simulation: the table of docs/comparing.md.
import { judgeLevels, levelOf } from '@ffma/bench';

const TRIALS = 1000;

/** Of the runs that are compared. */
export const ROUNDS = [15, 60];

const RULE = { threshold: 0.03, confidence: 0.99 };

/** Of the time. */
const CHANGES = [0.03, 0.05, 0.1];

/**
 * Uniform random numbers over 0 to 1 (a linear congruential generator of 48 bits, as drand48).
 * @param {number} seed
 */
function randomOf(seed) {
  let state = (BigInt(seed) << 16n) + 0x330en;
  return () => {
    state = (state * 0x5deece66dn + 0xbn) & ((1n << 48n) - 1n);
    return (Number(state) + 0.5) / 2 ** 48;
  };
}

/** @param {() => number} random */
const normal = (random) => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());

/** @param {() => number} random */
const heavy = (random) => {
  const square = (normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2) / 3;
  return normal(random) / Math.sqrt(square);
};

/** cuBLAS at 512³ on an H200, in logarithms. */
const TWO_SPEEDS = Math.log(19.3 / 17.4);

/**
 * Kinds of noise: each makes the noise of a run, a function of the round, in logarithms.
 * @type {Readonly<Record<string, (random: () => number) => (round: number) => number>>}
 */
export const noises = {
  'normal, 0.3 %': (random) => () => 0.003 * normal(random),
  'normal, 1.5 %': (random) => () => 0.015 * normal(random),
  'heavy tails: 1 % times Student’s t of 3 degrees': (random) => () => 0.01 * heavy(random),
  'normal, 0.5 %, one round in 20 takes 15 % more': (random) => () =>
    0.005 * normal(random) + (random() < 0.05 ? Math.log(1.15) : 0),
  'the reference alternates: 17.4 and 19.3 µs': (random) => {
    const phase = random() < 0.5 ? 0 : 1;
    return (round) => 0.005 * normal(random) + (round % 2 === phase ? TWO_SPEEDS : 0);
  },
  'the reference takes either by chance, 5 % apart': (random) => () =>
    0.003 * normal(random) + (random() < 0.5 ? Math.log(1.05) : 0),
  'the reference takes either by chance: 17.4 or 19.3 µs': (random) => () =>
    0.003 * normal(random) + (random() < 0.5 ? TWO_SPEEDS : 0),
};

/** @param {number} share */
const percent = (share) => `${Number((share * 100).toFixed(1))} %`;

/**
 * One line of the table: shares of the verdicts over {@link TRIALS} pairs of runs.
 * @param {string} name
 * @param {number} rounds
 */
export function rateLine(name, rounds) {
  const random = randomOf(rounds);
  const noise = noises[name];
  if (noise === undefined) throw new Error(`There is no noise '${name}'.`);
  const run = () => {
    const of = noise(random);
    return levelOf(Array.from({ length: rounds }, (_, i) => ({ round: i + 1, value: of(i + 1) })));
  };
  const pairs = Array.from({ length: TRIALS }, () => ({ base: run(), fresh: run() }));
  /** @type {(change: number, verdict: string) => number} */
  const share = (change, verdict) =>
    pairs.filter(({ base, fresh }) => {
      const changed = { ...fresh, value: fresh.value + Math.log1p(change) };
      return judgeLevels(base, changed, RULE).verdict === verdict;
    }).length / TRIALS;
  const cells = [
    share(0, 'same'),
    share(0, 'unclear'),
    share(0, 'faster') + share(0, 'slower'),
    ...CHANGES.map((change) => share(change, 'slower')),
  ];
  return `| ${[name, rounds, ...cells.map(percent)].join(' | ')} |`;
}

/** The whole table, as lines of Markdown. */
export function rateLines() {
  const titles = [
    'noise of a round',
    'rounds',
    'same',
    'unclear',
    'false alarm',
    'of 3 %',
    'of 5 %',
    'of 10 %',
  ];
  return [
    `| ${titles.join(' | ')} |`,
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...ROUNDS.flatMap((rounds) => Object.keys(noises).map((name) => rateLine(name, rounds))),
    '',
    'Nothing changed in the third to fifth column; the last three are the share of changes of that size that are called',
    `slower. ${TRIALS} simulated pairs of runs each, threshold ${percent(RULE.threshold)}, confidence ${percent(RULE.confidence)}.`,
  ];
}
