/** A figure of one round: the logarithm of a time, or of a time relative to the reference's. */
export interface RoundFigure {
  /** Its number in the session. */
  readonly round: number;
  readonly value: number;
}

/** What the rounds of one side come to. */
export interface Level {
  readonly value: number;
  /** Of the value, by bootstrap. */
  readonly standardError: number;
  /** Degrees of freedom that the standard error rests on. */
  readonly degrees: number;
  readonly rounds: number;
}

/** Share of the values that is left out at each end. */
export const TRIM = 1 / 8;

export const RESAMPLES = 1000;

/** With fewer rounds nothing is said of how sure a figure is. */
export const LEAST_ROUNDS = 5;

/** Whether rounds are enough for a standard error: odd and even ones among them, as any run has. */
export const areEnough = (rounds: readonly RoundFigure[]): boolean =>
  rounds.length >= LEAST_ROUNDS && strataOf(rounds).length === 2;

/** Weights of ordered values in a mean without the share {@link TRIM} at each end; a value may count in part. */
function trimmedWeights(count: number): readonly number[] {
  const out = TRIM * count;
  const kept = count - 2 * out;
  return Array.from({ length: count }, (_, i) => {
    const overlap = Math.min(i + 1, count - out) - Math.max(i, out);
    return Math.max(0, overlap) / kept;
  });
}

const ascending = (x: number, y: number) => x - y;

function trimmedMean(values: readonly number[]): number {
  const weights = trimmedWeights(values.length);
  return [...values].sort(ascending).reduce((sum, value, i) => sum + value * (weights[i] as number), 0);
}

/**
 * Odd and even rounds apart, where there are both. On GPUs that were measured, times of short kernels alternate from
 * round to round, by up to a tenth; so that every other round is the slow one, and it depends on chance which.
 */
function strataOf(rounds: readonly RoundFigure[]): number[][] {
  const of = (parity: number) => rounds.filter(({ round }) => round % 2 === parity).map(({ value }) => value);
  return [of(0), of(1)].filter((values) => values.length > 0);
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How far the values of each stratum lie from its mean, all together, ascending, about zero, of the spread that the
 * rounds have: a mean lies nearer to its own values than to others. */
function residualsOf(strata: readonly (readonly number[])[]): number[] {
  const residuals = strata.flatMap((values) => {
    if (values.length < 2) return [];
    const middle = trimmedMean(values);
    const scale = Math.sqrt(values.length / (values.length - 1));
    return values.map((value) => (value - middle) * scale);
  });
  const centre = meanOf(residuals);
  return residuals.map((value) => value - centre).sort(ascending);
}

/** Random numbers from 0 to under 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Variance of the trimmed mean of so many values that are drawn, with replacement, from ascending ones. */
function resampledVariance(pool: Float64Array, draws: number, random: () => number): number {
  const weights = trimmedWeights(draws);
  const times = new Uint32Array(pool.length);
  let [sum, squares] = [0, 0];
  for (let n = 0; n < RESAMPLES; n++) {
    times.fill(0);
    for (let i = 0; i < draws; i++) (times[Math.floor(random() * pool.length)] as number)++;
    let [mean, rank] = [0, 0];
    // Drawn values in order, without sorting them: each of the pool as often as it was drawn.
    for (let at = 0; at < pool.length; at++)
      for (let left = times[at] as number; left > 0; left--)
        mean += (pool[at] as number) * (weights[rank++] as number);
    sum += mean;
    squares += mean * mean;
  }
  return Math.max(0, squares / RESAMPLES - (sum / RESAMPLES) ** 2);
}

/** The value of {@link levelOf}, of any number of rounds. */
export function centreOf(rounds: readonly RoundFigure[]): number {
  return meanOf(strataOf(rounds).map(trimmedMean));
}

/**
 * The level of rounds that were measured in turn: the mean without an eighth at each end, odd and even rounds weighing
 * the same; its standard error by a bootstrap of the residuals. The same rounds give the same figures.
 *
 * Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 6 and 9.
 * @param rounds that {@link areEnough}
 */
export function levelOf(rounds: readonly RoundFigure[]): Level {
  const strata = strataOf(rounds);
  const pool = Float64Array.from(residualsOf(strata));
  const random = randomOf(1);
  const variances = strata.map(({ length }) => resampledVariance(pool, length, random));
  return {
    value: centreOf(rounds),
    standardError: Math.sqrt(variances.reduce((sum, variance) => sum + variance, 0)) / strata.length,
    degrees: rounds.length - strata.length,
    rounds: rounds.length,
  };
}
