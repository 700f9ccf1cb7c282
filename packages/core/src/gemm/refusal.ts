import type { Needs, PlanDevice } from './kernel-definition.js';
import { type GemmProblem, type GemmShape, gemmProblem } from './problem.js';

/** Number of an architecture: `sm_90` and `compute_90` → 90. */
export function archNumber(arch: string): number {
  return Number.parseInt(arch.replace(/^\D+/, ''), 10);
}

/** Why a variant with these needs does not take a problem, as a sentence; undefined if it does. */
export function refusalOf(
  needs: Needs,
  shape: GemmProblem | GemmShape,
  device?: PlanDevice,
): string | undefined {
  // From JavaScript, a shape alone: of packed matrices that start where allocations do.
  const problem = 'alignment' in shape ? shape : gemmProblem(shape);
  const { exactly } = needs;
  if (exactly !== undefined) {
    const { m, n, k } = problem;
    if (m !== exactly.m || n !== exactly.n || k !== exactly.k) {
      const own = `${exactly.m}×${exactly.n}×${exactly.k}`;
      return `m×n×k must be ${own}, which is compiled in, but is ${m}×${n}×${k}.`;
    }
  }
  for (const name of ['m', 'n', 'k'] as const) {
    const multiple = needs.multiples?.[name];
    if (multiple !== undefined && problem[name] % multiple !== 0) {
      return `${name} must be a multiple of ${multiple}, but is ${problem[name]}.`;
    }
  }
  if (needs.alignment !== undefined) {
    for (const name of ['a', 'b', 'c'] as const) {
      if (problem.alignment[name] < needs.alignment) {
        return (
          `Every row of ${name.toUpperCase()} must start at a multiple of ${needs.alignment} bytes, ` +
          `but its address and leading dimension (${problem[`ld${name}`]}) give ${problem.alignment[name]}.`
        );
      }
    }
  }
  if (needs.arch !== undefined && device !== undefined && archNumber(device.arch) < needs.arch) {
    return `It needs sm_${needs.arch} or newer, but the device is ${device.arch}.`;
  }
  return undefined;
}
