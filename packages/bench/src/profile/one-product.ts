import type { Size } from '../bench/sizes.js';
import { shape } from '../render/numbers.js';
import { UsageError } from '../usage-error.js';

/** A profile is of one product: launches of a batch could not be told apart. @throws UsageError */
export function checkOneProduct(size: Size): void {
  if ((size.batch ?? 1) === 1) return;
  throw new UsageError(
    `One product is launched and profiled, but ${shape(size)} is a batch of ${size.batch}.`,
    {
      remedy: 'Leave the batch out: each of its products is launched alike.',
    },
  );
}
