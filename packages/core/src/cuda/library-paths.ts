import { existsSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../compile/find-executable.js';
import { pythonSites, versionedFolders } from './python-folders.js';
import { isFolder, type SearchContext, searchContext } from './search-context.js';

/** A library of NVIDIA's that is found at run time. */
export interface LibrarySearch {
  /** File names, best first: `libnvrtc.so.13`. */
  readonly names: readonly string[];
  /** Variable that names the one file to use, or a folder with it. */
  readonly variable: string;
  /** Whether it comes with the toolkit (else with the driver). */
  readonly toolkit?: boolean;
  /** Folders under `nvidia/` of the Python wheels that bring it: `cu13`, `cuda_nvrtc`. */
  readonly wheels?: readonly string[];
}

export const libraries = {
  cuda: { names: ['libcuda.so.1'], variable: 'FFMA_LIBCUDA' },
  nvml: { names: ['libnvidia-ml.so.1'], variable: 'FFMA_LIBNVML' },
  nvrtc: {
    names: ['libnvrtc.so.13', 'libnvrtc.so.12', 'libnvrtc.so'],
    variable: 'FFMA_LIBNVRTC',
    toolkit: true,
    wheels: ['cu13', 'cuda_nvrtc'],
  },
} as const satisfies Record<string, LibrarySearch>;

/** One place that a search looks at: something to load, or a folder that might have held it. */
export type LibraryPlace =
  | { readonly type: 'file'; readonly file: string }
  | { readonly type: 'empty'; readonly folder: string };

/** Where drivers put their libraries on systems whose loader does not look there. */
const driverFolders = ['/usr/lib/wsl/lib', '/usr/local/nvidia/lib64'];

/** Library folders of CUDA toolkits, and those of the system, in which the loader need not look. */
function toolkitFolders({ env, at }: SearchContext): string[] {
  const installed = versionedFolders(at('/usr/local'), /^cuda-\d/);
  const homes = [env.CUDA_HOME, env.CUDA_PATH, at('/usr/local/cuda'), ...installed, at('/opt/cuda')];
  const inner = ['lib64', 'lib', 'targets/x86_64-linux/lib'];
  const toolkits = homes.flatMap((home) => (home ? inner.map((lib) => join(home, lib)) : []));
  const conda = env.CONDA_PREFIX ? [join(env.CONDA_PREFIX, 'lib')] : [];
  return [...toolkits, at('/usr/lib/x86_64-linux-gnu'), at('/usr/lib64'), ...conda];
}

function foldersOf({ toolkit, wheels = [] }: LibrarySearch, context: SearchContext): string[] {
  if (!toolkit) return driverFolders.map((folder) => context.at(folder));
  const packages = pythonSites(context).flatMap((site) =>
    wheels.map((wheel) => join(site, 'nvidia', wheel, 'lib')),
  );
  return [...toolkitFolders(context), ...packages];
}

/** What a variable says is a toolkit, and is not there: a search that passed over it in silence would be a riddle. */
function missingToolkits({ toolkit }: LibrarySearch, { env }: SearchContext): LibraryPlace[] {
  if (!toolkit) return [];
  return [env.CUDA_HOME, env.CUDA_PATH].flatMap((home) =>
    home && !isFolder(home) ? [{ type: 'empty', folder: home } as const] : [],
  );
}

function inFolder(folder: string, names: readonly string[]): LibraryPlace[] {
  const files = names.map((name) => join(folder, name)).filter((file) => existsSync(file));
  return files.length === 0 ? [{ type: 'empty', folder }] : files.map((file) => ({ type: 'file', file }));
}

/** Leaves out what an earlier place leads to as well, such as /usr/local/cuda and the version that it links to. */
function distinct(places: readonly LibraryPlace[]): LibraryPlace[] {
  const seen = new Set<string>();
  return places.filter((place) => {
    const path = place.type === 'file' ? place.file : place.folder;
    const real = isAbsolute(path) && existsSync(path) ? realpathSync(path) : path;
    return seen.has(real) ? false : seen.add(real);
  });
}

/**
 * Every place at which a library may be, in the order in which they are tried: what its variable names, and then no
 * other; else what the loader finds, then toolkits, then Python's wheels. Bare names are for the loader.
 */
export function libraryPlaces(
  search: LibrarySearch,
  context: SearchContext = searchContext(),
): LibraryPlace[] {
  const { names, variable } = search;
  const forced = context.env[variable];
  if (forced) return isFolder(forced) ? inFolder(forced, names) : [{ type: 'file', file: forced }];
  return distinct([
    ...names.map((file) => ({ type: 'file', file }) as const),
    ...missingToolkits(search, context),
    ...foldersOf(search, context)
      .filter(isFolder)
      .flatMap((folder) => inFolder(folder, names)),
  ]);
}

/** The same without the folders that hold nothing: paths and names to try. */
export function libraryCandidates(search: LibrarySearch, env: Environment = process.env): string[] {
  return libraryPlaces(search, searchContext(env)).flatMap((place) =>
    place.type === 'file' ? [place.file] : [],
  );
}
