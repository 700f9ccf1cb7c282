import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArgumentError } from '../errors.js';
import type { KernelDefinition, Params } from './kernel-definition.js';
import { packageRootOf } from './manifest.js';

/** A variant that a sweep found to be the fastest of its kernel, on one model of GPU, at one size. */
export interface TunedEntry {
  /** Model, as the driver names it: `NVIDIA H200`. */
  readonly gpu: string;
  readonly size: { readonly m: number; readonly n: number; readonly k: number };
  /** All parameters: a default that changes later does not change it. */
  readonly params: Params;
  /** Median time of the reference divided by its own. */
  readonly ratio: number;
  /** Id of the reference. */
  readonly reference: string;
  /** When it was found, as ISO 8601. */
  readonly at: string;
}

/** `tuned.json` beside a kernel's declaration, which reads it by itself. */
export interface TunedFile {
  readonly schemaVersion: 1;
  /** Name of the kernel. */
  readonly kernel: string;
  readonly tuned: readonly TunedEntry[];
}

const TUNED = 'tuned.json';

/** What is tuned alike: each extent to the nearest power of two; `4096`, or `4096x64x4096` as m×n×k. */
export function sizeClass({ m, n, k }: TunedEntry['size']): string {
  const [x, y, z] = [m, n, k].map((extent) => 2 ** Math.round(Math.log2(extent)));
  return x === y && y === z ? `${x}` : `${x}x${y}x${z}`;
}

/** What a tuned variant is called among those of its kernel: `tuned_h200_4096`. */
export function tunedName({ gpu, size }: Pick<TunedEntry, 'gpu' | 'size'>): string {
  const slug = gpu
    .toLowerCase()
    .replace(/^nvidia\s+(geforce\s+)?/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return `tuned_${slug}_${sizeClass(size)}`;
}

/** The package of a source; undefined where it is in none, as in a folder that somebody tries something out in. */
function rootOf(source: URL): string | undefined {
  try {
    return packageRootOf(source);
  } catch {
    return undefined;
  }
}

/**
 * Where the tuned variants of a kernel are kept: beside its source, of a built package beside the original of it, so
 * that what a sweep writes is used without another build. It may not be there yet.
 */
export function tunedPath(source: URL): string {
  const folder = dirname(fileURLToPath(source));
  const root = rootOf(source);
  if (root === undefined) return join(folder, TUNED);
  const own = relative(join(root, 'dist'), folder);
  const original = join(root, own);
  return join(!own.startsWith('..') && existsSync(original) ? original : folder, TUNED);
}

/** What is wrong with the content of a file; undefined where nothing is. */
function faultOf(file: Partial<TunedFile> | null, name: string): string | undefined {
  if (file?.schemaVersion !== 1)
    return `its schemaVersion must be 1, but is ${JSON.stringify(file?.schemaVersion)}`;
  if (file.kernel !== name) return `its kernel must be ${name}, but is ${JSON.stringify(file.kernel)}`;
  if (!Array.isArray(file.tuned)) return 'its tuned must be an array';
  const wrong = file.tuned.findIndex(
    ({ gpu, size, params }) =>
      typeof gpu !== 'string' ||
      typeof params !== 'object' ||
      ![size?.m, size?.n, size?.k].every((extent) => Number.isInteger(extent) && extent > 0),
  );
  return wrong < 0 ? undefined : `tuned[${wrong}] must have a gpu, a size and params`;
}

/** Entries of the file beside a kernel; none where there is no file. @throws ArgumentError where it is no such file */
export function readTuned({
  name,
  source,
}: Pick<KernelDefinition, 'name' | 'source'>): readonly TunedEntry[] {
  if (source.protocol !== 'file:') return [];
  const path = tunedPath(source);
  if (!existsSync(path)) return [];
  let file: TunedFile;
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as TunedFile;
  } catch (cause) {
    throw new ArgumentError(`${path} is no JSON: ${(cause as Error).message}.`, { cause });
  }
  const fault = faultOf(file, name);
  if (fault === undefined) return file.tuned;
  throw new ArgumentError(`${path} does not hold tuned variants: ${fault}.`, {
    remedy: 'Delete it, and let ffma sweep --write make it again.',
  });
}

/** Entries with one more, in place of that of the same GPU and size class; sorted, so that a file has one spelling. */
export function withTuned(entries: readonly TunedEntry[], entry: TunedEntry): TunedEntry[] {
  const volume = ({ size: { m, n, k } }: TunedEntry) => m * n * k;
  return [...entries.filter((other) => tunedName(other) !== tunedName(entry)), entry].sort((x, y) =>
    x.gpu === y.gpu
      ? volume(x) - volume(y) || (tunedName(x) < tunedName(y) ? -1 : 1)
      : x.gpu < y.gpu
        ? -1
        : 1,
  );
}

/** The text of a file, as Biome formats it. */
export function tunedText(kernel: string, tuned: readonly TunedEntry[]): string {
  const file: TunedFile = { schemaVersion: 1, kernel, tuned };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}
