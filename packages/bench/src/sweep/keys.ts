import type { Size } from '../bench/sizes.js';
import { shape } from '../render/numbers.js';

/** Names what is known of a candidate at a size, or at any. */
export const keyOf = (id: string, size?: Size): string =>
  size === undefined ? id : `${id} @ ${shape(size)}`;
