import { nearNames } from '../discover/near-names.js';
import { UsageError } from '../usage-error.js';
import { parseSize, type Size, sameSize } from './sizes.js';

/** Sizes that belong together, by a name. */
export type Suites = Readonly<Record<string, readonly Size[]>>;

/** What multiplies are used for, in 30 shapes from 64 to 8192. */
const shapes = [
  // Squares of whole tiles, and of half a tile.
  ...['64', '128', '256', '512', '1024', '2048', '4096', '8192'],
  // Squares that no tile divides.
  ...['100', '500', '1000', '1023', '2047', '3000', '4095'],
  // Tall: few columns.
  ...['8192x256x1024', '4096x128x4096', '8192x64x2048'],
  // Wide: few rows.
  ...['256x8192x1024', '128x4096x4096', '64x8192x2048'],
  // Deep: few blocks, each with a long sum.
  ...['64x64x4096', '128x128x8192', '256x256x8192', '512x512x8192'],
  // Layers of language models: projections of 64, 512 and 1024 tokens, and the two halves of a feed-forward block.
  ...['64x4096x4096', '512x4096x4096', '1024x2304x768', '2048x8192x2048', '2048x2048x8192'],
];

/** Suites that need no configuration. */
export const builtInSuites: Suites = { shapes: shapes.map(parseSize) };

/**
 * The sizes of a suite.
 * @param own suites of a configuration, which come before those built in
 * @throws UsageError where there is none of that name
 */
export function suiteNamed(name: string, own: Suites = {}): readonly Size[] {
  const all = { ...builtInSuites, ...own };
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(all);
  const near = nearNames(name, names);
  throw new UsageError(`There is no suite '${name}'.`, {
    remedy: near.length > 0 ? `Did you mean ${near.join(', ')}?` : `There are ${names.join(', ')}.`,
  });
}

/** Each size once, in the order met. */
export function uniqueSizes(sizes: readonly Size[]): Size[] {
  return sizes.filter((size, i) => sizes.findIndex((other) => sameSize(size, other)) === i);
}
