/** Bounds that a figure lies between, at a level of confidence. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Confidence of the intervals of result files: the share of them that hold what they are for. */
export const CONFIDENCE = 0.95;

/** Too unlikely to move a bound. */
const NEGLIGIBLE = 1e-12;

interface Likely {
  readonly value: number;
  readonly chance: number;
}

/** Natural logarithm of the number of ways to choose k of n. */
function logChoose(n: number): (k: number) => number {
  const logs = new Float64Array(n + 1);
  for (let i = 2; i <= n; i++) logs[i] = (logs[i - 1] as number) + Math.log(i);
  return (k) => (logs[n] as number) - (logs[k] as number) - (logs[n - k] as number);
}

/** Ranks, from 1, that the median of a resample can have with a chance that counts: it is off by about √n/2. */
function likelyRanks(n: number): { readonly first: number; readonly last: number } {
  const far = Math.ceil(4 * Math.sqrt(n));
  return { first: Math.max(1, Math.floor(n / 2) - far), last: Math.min(n, Math.ceil(n / 2) + far) };
}

/** Chance that of n draws from n values at least `least` have one of the first `rank` ranks, for each rank from 0 to n. */
function chancesAtMost(n: number, least: number): number[] {
  const choose = logChoose(n);
  const { first, last } = likelyRanks(n);
  return Array.from({ length: n + 1 }, (_, rank) => {
    if (rank === 0 || rank < first - 1) return 0;
    if (rank === n || rank > last) return 1;
    const [inside, outside] = [Math.log(rank / n), Math.log(1 - rank / n)];
    let sum = 0;
    for (let k = least; k <= n; k++) {
      const term = Math.exp(choose(k) + k * inside + (n - k) * outside);
      sum += term;
      // Beyond the most likely number they only become smaller.
      if (k > rank && term < NEGLIGIBLE / n) break;
    }
    return sum;
  });
}

/** Of an odd number of values: the middle one of a resample has at most a rank where over half of the draws do. */
function oddMedians(sorted: readonly number[]): Likely[] {
  const n = sorted.length;
  const atMost = chancesAtMost(n, (n + 1) / 2);
  return sorted.map((value, i) => ({ value, chance: (atMost[i + 1] as number) - (atMost[i] as number) }));
}

/**
 * Of an even number: the middle ones of a resample have ranks i < j where half of the draws have at most rank i, one of
 * them i itself, and the others at least rank j, one of them j. Else both have the rank of the lower one.
 */
function evenMedians(sorted: readonly number[]): Likely[] {
  const n = sorted.length;
  const half = n / 2;
  const atMost = chancesAtMost(n, half);
  const ways = logChoose(n)(half);
  // Chance that half of the draws have one of so many ranks, times the root of the ways to choose that half.
  const halfWithin = (ranks: number) => (ranks === 0 ? 0 : Math.exp(ways / 2 + half * Math.log(ranks / n)));
  const found: Likely[] = [];
  const { first, last } = likelyRanks(n);
  for (let i = first; i <= last; i++) {
    let equal = (atMost[i] as number) - (atMost[i - 1] as number);
    const lower = halfWithin(i) - halfWithin(i - 1);
    for (let j = i + 1; j <= last; j++) {
      const chance = lower * (halfWithin(n - j + 1) - halfWithin(n - j));
      equal -= chance;
      if (chance > NEGLIGIBLE)
        found.push({ value: ((sorted[i - 1] as number) + (sorted[j - 1] as number)) / 2, chance });
    }
    if (equal > NEGLIGIBLE) found.push({ value: sorted[i - 1] as number, chance: equal });
  }
  return found.sort((x, y) => x.value - y.value);
}

/** The first value that leaves out no more than a share of the chances before it. */
function boundOf(likely: readonly Likely[], share: number): number {
  let sum = 0;
  for (const { value, chance } of likely) {
    sum += chance;
    if (sum > share) return value;
  }
  return (likely.at(-1) as Likely).value;
}

/**
 * Confidence interval of the median of values that were drawn independently, by the percentile bootstrap: of all the
 * medians of resamples with replacement, it leaves out the same share on either side. Their distribution follows from
 * the ranks alone, so that nothing is drawn by chance: it is the interval of infinitely many resamples, the same for
 * the same values on every machine. Of five to ten values it holds the truth in 92 to 94 % of cases, of fewer less
 * often; of one value it is that value.
 *
 * Source: B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13; the distribution of the median:
 * J. Maritz, R. Jarrett, A Note on Estimating the Variance of the Sample Median, JASA 73, 1978.
 * @returns NaN bounds for no values
 */
export function medianInterval(values: readonly number[], level = CONFIDENCE): Interval {
  if (values.length === 0) return { low: Number.NaN, high: Number.NaN };
  const sorted = [...values].sort((x, y) => x - y);
  const likely = sorted.length % 2 === 1 ? oddMedians(sorted) : evenMedians(sorted);
  const tail = (1 - level) / 2;
  return { low: boundOf(likely, tail), high: boundOf([...likely].reverse(), tail) };
}
