import type { GemmSizes } from '../gemm/specialise.js';
import type { Experiment, ExperimentRow, ExperimentSize } from './experiment.js';

/** m, n and k of a size. */
export function toSizes(size: ExperimentSize): GemmSizes {
  return typeof size === 'number' ? { m: size, n: size, k: size } : { m: size.m, n: size.n, k: size.k };
}

/** `1024³`, or `1024×512×64` as m×n×k. */
export function sizeLabel(size: ExperimentSize): string {
  const { m, n, k } = toSizes(size);
  return m === n && n === k ? `${n}³` : `${m}×${n}×${k}`;
}

export function sameSize(x: ExperimentSize, y: ExperimentSize): boolean {
  return sizeLabel(x) === sizeLabel(y);
}

/** The rows of an experiment that are measured at a size. */
export function rowsAt({ rows }: Pick<Experiment, 'rows'>, size: ExperimentSize): readonly ExperimentRow[] {
  return rows.filter(({ sizes }) => sizes === undefined || sizes.some((own) => sameSize(own, size)));
}
