import { ArgumentError } from '../errors.js';
import type { GemmSizes } from '../gemm/specialise.js';
import type { ExperimentSize } from './experiment.js';
import { sizeLabel, toSizes } from './sizes.js';

/** What was measured of a row at a size. */
export interface RowFigures {
  /** Name of the row. */
  readonly row: string;
  /** Id of the kernel that the figures are of: of several, the fastest. */
  readonly id: string;
  /** Median over the rounds of their median times, in µs. */
  readonly us: number;
  /** Speed as a share of the reference's, paired by rounds: over 1 is faster. 1 for the reference. */
  readonly ofReference: number;
  /** Rounds in which it beat the reference; 0 for the reference. */
  readonly wins: number;
  /** Median time of each round, in µs. */
  readonly perRoundUs: readonly number[];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

/** One size of an experiment at which every row that belongs there was measured. */
export class MeasuredSize {
  readonly size: GemmSizes;
  /** `1024³`, or m×n×k. */
  readonly label: string;
  readonly figures: readonly RowFigures[];

  constructor(size: ExperimentSize, figures: readonly RowFigures[]) {
    this.size = toSizes(size);
    this.label = sizeLabel(size);
    this.figures = figures;
  }

  has(row: string): boolean {
    return this.figures.some((one) => one.row === row);
  }

  /** Figures of a row. @throws ArgumentError where it is not measured at this size */
  of(row: string): RowFigures {
    const found = this.figures.find((one) => one.row === row);
    if (found === undefined) {
      const names = this.figures.map((one) => one.row).join(', ') || 'none';
      throw new ArgumentError(`At ${this.label} there is no row '${row}'; there are ${names}.`);
    }
    return found;
  }

  us(row: string): number {
    return this.of(row).us;
  }

  ofReference(row: string): number {
    return this.of(row).ofReference;
  }

  /** Time of one row over that of another, less 1; the median over the rounds, so that clocks cancel. */
  change(of: string, to: string): number {
    const [own, base] = [this.of(of).perRoundUs, this.of(to).perRoundUs];
    if (own.length === 0 || own.length !== base.length) return this.us(of) / this.us(to) - 1;
    return median(own.map((us, round) => us / (base[round] as number))) - 1;
  }

  /** In how many rounds one row was faster than another, and of how many. */
  roundsAhead(of: string, to: string): { readonly ahead: number; readonly rounds: number } {
    const [own, base] = [this.of(of).perRoundUs, this.of(to).perRoundUs];
    const rounds = Math.min(own.length, base.length);
    const ahead = own.filter((us, round) => round < rounds && us < (base[round] as number)).length;
    return { ahead, rounds };
  }

  /** Fastest first. */
  ranking(): readonly RowFigures[] {
    return [...this.figures].sort((x, y) => x.us - y.us);
  }
}

/**
 * A size with figures made up, to test what an experiment concludes.
 * @param us time of each row by its name; `reference` says which is the reference's
 */
export function fakeMeasuredSize(
  size: ExperimentSize,
  us: Readonly<Record<string, number>>,
  reference: number,
): MeasuredSize {
  return new MeasuredSize(
    size,
    Object.entries(us).map(([row, time]) => ({
      row,
      id: row,
      us: time,
      ofReference: reference / time,
      wins: time < reference ? 1 : 0,
      perRoundUs: [time],
    })),
  );
}
