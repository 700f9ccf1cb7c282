import { UsageError } from '../usage-error.js';

/** Extents of a product: C is m×n, k is summed over. */
export interface Size {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  /** That many independent products, each with operands of its own. Absent: one. */
  readonly batch?: number | undefined;
}

/** Kernels take extents as 32-bit integers. */
const MOST = 2 ** 31 - 1;

/** Products of a batch that are enqueued between two events: a driver's queue has about a thousand places. */
export const MOST_BATCH = 256;

/** How many products a size is. */
export const batchOf = ({ batch = 1 }: Pick<Size, 'batch'>): number => batch;

/** A size from numbers that were checked; a batch of one is none. */
export function sizeFrom({ m, n, k, batch = 1 }: Size): Size {
  return batch === 1 ? { m, n, k } : { m, n, k, batch };
}

export function sameSize(x: Size, y: Size): boolean {
  return x.m === y.m && x.n === y.n && x.k === y.k && batchOf(x) === batchOf(y);
}

/** `1024x512x64`, `b8x512x512x512`: what {@link parseSize} reads. */
export function sizeText(size: Size): string {
  const { m, n, k } = size;
  const batch = batchOf(size);
  return `${batch === 1 ? '' : `b${batch}x`}${m === n && n === k ? n : `${m}x${n}x${k}`}`;
}

const extent = (text: string, most: number) => {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return value >= 1 && value <= most ? value : Number.NaN;
};

/**
 * `256` → a cube; `1024x512x64` → m×n×k; `b8x256` or `b8x1024x512x64` → a batch of 8 of them.
 * @throws UsageError
 */
export function parseSize(text: string): Size {
  const [first = '', ...others] = text.trim().toLowerCase().split(/[x×]/);
  const batched = first.startsWith('b');
  const extents = (batched ? others : [first, ...others]).map((part) => extent(part, MOST));
  if (![1, 3].includes(extents.length) || extents.some(Number.isNaN)) {
    throw new UsageError(
      `A size is one number such as 256, or m×n×k such as 1024x512x64, each in 1..${MOST}, but is '${text}'.`,
      { remedy: 'A batch of 8 is b8x256 or b8x1024x512x64.' },
    );
  }
  const batch = batched ? extent(first.slice(1), MOST_BATCH) : 1;
  if (Number.isNaN(batch))
    throw new UsageError(`A batch is b and a number in 1..${MOST_BATCH}, as in b8x256, but is '${text}'.`);
  const [m = 0, n = m, k = m] = extents;
  return sizeFrom({ m, n, k, batch });
}

/** Sizes separated by commas. @throws UsageError */
export function parseSizes(text: string): Size[] {
  return text.split(',').map(parseSize);
}

/** The same, where one product is meant and not a batch. @throws UsageError */
export function parseProduct(text: string): Size {
  const size = parseSize(text);
  if (size.batch === undefined) return size;
  throw new UsageError(`Batches are timed by ffma bench, but not here, and '${text}' is one.`, {
    remedy: `Use one of its products: ${sizeText({ ...size, batch: 1 })}.`,
  });
}
