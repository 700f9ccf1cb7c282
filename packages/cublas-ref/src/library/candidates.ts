import { readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { pythonFolders } from './python-folders.js';
import type { SearchContext } from './search-context.js';

/** File names of cuBLAS, best first. Older ones than that of CUDA 12 lack functions. */
export const libraryNames = ['libcublas.so.13', 'libcublas.so.12', 'libcublas.so'] as const;

/** Names the library outright: a file, a folder with it, or a name that the loader knows. Then nothing else is tried. */
export const libraryVariable = 'FFMA_LIBCUBLAS';

/** One place to look. */
export type Place =
  | { readonly type: 'file'; readonly file: string }
  /** A folder without the library: nothing to load, but it was looked at. */
  | { readonly type: 'empty'; readonly folder: string };

function cudaFolders({ at }: SearchContext): string[] {
  try {
    const versions = readdirSync(at('/usr/local')).filter((name) => /^cuda-\d/.test(name));
    versions.sort((x, y) => y.localeCompare(x, 'en', { numeric: true }));
    return ['cuda', ...versions].map((name) => at(join('/usr/local', name)));
  } catch {
    return [];
  }
}

/** Folders of installed CUDA toolkits and of the system, in which the loader need not look. */
function toolkitFolders(context: SearchContext): string[] {
  const { env, at } = context;
  const homes = [env.CUDA_HOME, env.CUDA_PATH].filter(
    (home) => home !== undefined && home !== '',
  ) as string[];
  const toolkits = [...homes, ...cudaFolders(context), at('/opt/cuda')];
  const inner = ['lib64', join('targets', 'x86_64-linux', 'lib')];
  return [
    ...toolkits.flatMap((toolkit) => inner.map((lib) => join(toolkit, lib))),
    at('/usr/lib/x86_64-linux-gnu'),
    at('/usr/lib64'),
  ];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function inFolder(folder: string, { exists }: SearchContext): Place[] {
  const files = libraryNames.map((name) => join(folder, name)).filter(exists);
  return files.length === 0 ? [{ type: 'empty', folder }] : files.map((file) => ({ type: 'file', file }));
}

/** Leaves out files that an earlier place leads to as well, such as /usr/local/cuda and what it links to. */
function distinct(places: readonly Place[]): Place[] {
  const seen = new Set<string>();
  return places.filter((place) => {
    const path = place.type === 'file' ? place.file : place.folder;
    const real = isAbsolute(path) ? realpathSync(path) : path;
    return seen.has(real) ? false : seen.add(real);
  });
}

/** Every place to look for cuBLAS, in order: a variable, or else the loader, toolkits, then Python wheels. */
export function libraryPlaces(context: SearchContext): Place[] {
  const named = context.env[libraryVariable];
  if (named !== undefined && named !== '') {
    return isFolder(named) ? inFolder(named, context) : [{ type: 'file', file: named }];
  }
  const folders = [...toolkitFolders(context), ...pythonFolders(context)].filter(isFolder);
  return distinct([
    ...libraryNames.map((file): Place => ({ type: 'file', file })),
    ...folders.flatMap((folder) => inFolder(folder, context)),
  ]);
}
