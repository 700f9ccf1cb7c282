import { ArgumentError, UnsupportedError } from '../errors.js';
import { checkParams } from './check-definition.js';
import type { Variant } from './define-kernel.js';
import type { Needs, Params, PlanDevice } from './kernel-definition.js';
import { type GemmProblem, type GemmShape, gemmProblem } from './problem.js';
import { refusalOf } from './refusal.js';
import { variantId } from './variant-id.js';

/** Extents of a product, as a specialised variant has them compiled in. */
export type GemmSizes = Pick<GemmProblem, 'm' | 'n' | 'k'>;

const sizeText = ({ m, n, k }: GemmSizes) => `${m}×${n}×${k}`;

/** Why an open variant cannot be filled in for a problem, or would not take it then; undefined if it does. */
export function refusalOfOpen(
  needs: Needs,
  problem: GemmProblem | GemmShape,
  device?: PlanDevice,
): string | undefined {
  for (const name of ['m', 'n', 'k'] as const) {
    if (problem[name] >= 1) continue;
    return `It has m, n and k compiled in, each at least 1, but ${name} is ${problem[name]}.`;
  }
  return refusalOf(needs, problem, device);
}

/** What whoever compiles or loads an open variant is told. */
export function openError({ id }: Variant): UnsupportedError {
  return new UnsupportedError(`${id} has the sizes of one problem compiled in, and none are filled in yet.`, {
    remedy: 'Call forShape({ m, n, k }) on it, and use what that returns.',
  });
}

/** Parameters of a variant with sizes filled in. @throws UnsupportedError where it does not take them; ArgumentError */
export function filledParams(variant: Variant, sizes: GemmSizes): Params {
  const { definition, params, needs, id } = variant;
  const { m, n, k } = sizes;
  const { multiples = {} } = needs;
  const refusal = refusalOfOpen({ multiples }, gemmProblem({ m, n, k }));
  if (refusal !== undefined) {
    throw new UnsupportedError(`${id} does not take this problem: ${refusal}`, {
      remedy: 'Use a kernel without this requirement, such as one that takes any m, n and k.',
    });
  }
  const filled = definition.specialise?.fill(params, { m, n, k }) ?? {};
  checkParams(definition, filled);
  return { ...params, ...filled } as Params;
}

/** Id of a variant with sizes filled in: made from its parameters, or one given by hand with the sizes behind it. */
export function filledId({ id, kernel, params }: Variant, filled: Params, { m, n, k }: GemmSizes): string {
  return id === variantId(kernel, params) ? variantId(kernel, filled) : `${id}_${m}x${n}x${k}`;
}

/** Checks that `fill` and `needs` of a declaration agree. @throws ArgumentError */
export function checkFilled(filled: Variant, sizes: GemmSizes): void {
  const { exactly } = filled.needs;
  if (filled.open) {
    throw new ArgumentError(
      `${filled.id} is still open after fill(): specialise.open() must be false for it.`,
    );
  }
  const agrees =
    exactly !== undefined && exactly.m === sizes.m && exactly.n === sizes.n && exactly.k === sizes.k;
  if (agrees) return;
  throw new ArgumentError(
    `needs() of ${filled.id} must give exactly ${sizeText(sizes)}, the sizes that are filled in, ` +
      `but gives ${exactly === undefined ? 'no exactly' : sizeText(exactly)}.`,
  );
}
