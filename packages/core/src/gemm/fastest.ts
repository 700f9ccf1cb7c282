import { UnsupportedError } from '../errors.js';
import type { Variant } from './define-kernel.js';
import { type GemmShape, gemmProblem } from './problem.js';

/** The fastest variant of a package where it was timed, at m = n = k = `size`. */
export interface FastestAt {
  readonly size: number;
  readonly variant: Variant;
}

/** How far a product is from a cube, in doublings of its extents. */
function distance({ m, n, k }: GemmShape, size: number): number {
  const doublings = [m, n, k].map((extent) => Math.abs(Math.log2(Math.max(1, extent) / size)));
  return doublings.reduce((x, y) => x + y, 0);
}

/**
 * Of the variants that were the fastest at some size, that of the nearest size whose variant takes the product; of
 * others where none does, the first that takes it. Times elsewhere than at these cubes are not known: between them, and
 * off them, this is a guess.
 * @param shape extents, and leading dimensions where rows are further apart
 * @throws UnsupportedError with the sentence of the nearest where nothing takes it; ArgumentError for a wrong shape
 */
export function fastestOf(
  table: readonly FastestAt[],
  others: readonly Variant[],
  shape: GemmShape,
): Variant {
  const problem = gemmProblem(shape);
  const near = [...table].sort((x, y) => distance(problem, x.size) - distance(problem, y.size));
  const candidates = [...near.map(({ variant }) => variant), ...others];
  const found = candidates.find((variant) => variant.refusal(problem) === undefined);
  if (found !== undefined) return found;
  const { m, n, k } = problem;
  const [first] = candidates;
  throw new UnsupportedError(
    `No kernel here takes ${m}×${n}×${k}; ${first?.id}, for one: ${first?.refusal(problem)}`,
    { remedy: 'Pad the matrices, or use a package whose kernels take any size.' },
  );
}
