import type { Device } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { usableOn } from '../discover/usable.js';
import { shape } from '../render/numbers.js';
import { chooseReference } from '../timing/reference.js';
import { UsageError } from '../usage-error.js';
import type { SweepOptions } from './options.js';

/**
 * What runs in every round. A library that nobody named and that is not there is replaced by the swept kernel's
 * default variant, and said; a yardstick there must be, since rounds are compared through it.
 * @throws UsageError where it does not take a size
 */
export async function referenceFor(
  device: Device,
  { kernel }: SelectedKernel,
  sizes: readonly Size[],
  { discovery, reference: text, onNote }: Pick<SweepOptions, 'discovery' | 'reference' | 'onNote'>,
): Promise<SelectedKernel> {
  const own: SelectedKernel = { gemm: kernel.gemm, kernel };
  const chosen = chooseReference(discovery, text);
  const { leftOut } = await usableOn(device, chosen === undefined || text !== undefined ? [] : [chosen]);
  const reference = chosen === undefined || leftOut.length > 0 ? own : chosen;
  if (leftOut[0] !== undefined)
    onNote?.(
      `The reference ${chosen?.gemm.id} cannot be used (${leftOut[0].reason}), so that the default variant of ${kernel.name} is the yardstick.`,
    );
  for (const size of sizes) {
    const refusal = reference.gemm.refusal(size);
    if (refusal === undefined) continue;
    throw new UsageError(`The reference ${reference.gemm.id} does not take ${shape(size)}: ${refusal}`, {
      remedy: 'Choose another by --reference, or another size.',
    });
  }
  return reference;
}
