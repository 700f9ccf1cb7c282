import { UsageError } from '../usage-error.js';

/** Extents of a product: C is m×n, k is summed over. */
export interface Size {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}

/** Kernels take extents as 32-bit integers. */
const MOST = 2 ** 31 - 1;

/** `256` → a cube; `1024x512x64` → m×n×k. @throws UsageError */
export function parseSize(text: string): Size {
  const parts = text.trim().split(/[x×]/i);
  const extents = parts.map((part) => (/^\d{1,10}$/.test(part) ? Number(part) : Number.NaN));
  if (![1, 3].includes(parts.length) || extents.some((n) => !(n >= 1 && n <= MOST))) {
    throw new UsageError(
      `A size is one number such as 256, or m×n×k such as 1024x512x64, each in 1..${MOST}, but is '${text}'.`,
    );
  }
  const [m = 0, n = m, k = m] = extents;
  return { m, n, k };
}

/** Sizes separated by commas. @throws UsageError */
export function parseSizes(text: string): Size[] {
  return text.split(',').map(parseSize);
}
