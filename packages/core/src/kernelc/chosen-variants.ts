import { ArgumentError } from '../errors.js';
import type { DefinedKernel, Variant } from '../gemm/define-kernel.js';
import { gemmProblem } from '../gemm/problem.js';
import type { GemmSizes } from '../gemm/specialise.js';

export interface Choice {
  /** Every declared variant, not only those that are shipped. */
  readonly allVariants: boolean;
  /** For which variants that have m, n and k compiled in are built. */
  readonly sizes: readonly GemmSizes[];
}

const sizeText = ({ m, n, k }: GemmSizes) => `${m}×${n}×${k}`;

/** @throws ArgumentError naming the sizes that no variant takes, and why the first does not */
function checkSizes(name: string, open: readonly Variant[], { allVariants, sizes }: Choice): void {
  const refusals = (size: GemmSizes) => open.map((variant) => variant.refusal(gemmProblem(size)));
  const refused = sizes.filter((size) => refusals(size).every((refusal) => refusal !== undefined));
  const [first] = refused;
  if (first === undefined) return;
  const which = refused.map(sizeText).join(', ');
  const [variant] = open;
  if (variant === undefined) {
    throw new ArgumentError(
      `Of what is built of ${name}, nothing has sizes compiled in, so there is nothing to build for ${which}.`,
      { remedy: allVariants ? 'Leave out --sizes.' : 'Add --all-variants, or leave out --sizes.' },
    );
  }
  throw new ArgumentError(
    `No variant of ${name} that has sizes compiled in takes ${which}; ${variant.id}, for one: ${refusals(first)[0]}`,
    { remedy: 'Leave these out of --sizes.' },
  );
}

/**
 * What is built of a package: a variant that waits for sizes once for each that it takes, since for others it is
 * compiled when it is loaded. @throws ArgumentError where nothing takes a size
 */
export function chosenVariants(name: string, kernels: readonly DefinedKernel[], choice: Choice): Variant[] {
  const declared = kernels.flatMap((kernel): readonly Variant[] =>
    choice.allVariants ? [...kernel.variants.values()] : kernel.shipped,
  );
  checkSizes(
    name,
    declared.filter(({ open }) => open),
    choice,
  );
  const chosen = declared.flatMap((variant) =>
    variant.open
      ? choice.sizes
          .filter((size) => variant.refusal(gemmProblem(size)) === undefined)
          .map((size) => variant.forShape(size))
      : [variant],
  );
  return [...new Map(chosen.map((variant) => [variant.id, variant])).values()];
}
