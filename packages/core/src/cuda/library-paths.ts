import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Environment, findExecutable } from '../compile/find-executable.js';

/** A library of NVIDIA's that is found at run time. */
export interface LibrarySearch {
  /** File names, best first: `libnvrtc.so.13`. */
  readonly names: readonly string[];
  /** Variable that names the one file to use. */
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

/** Where drivers put their libraries on systems whose loader does not look there. */
const driverFolders = ['/usr/lib/wsl/lib', '/usr/local/nvidia/lib64'];

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `site-packages` of a Python installation's prefix. */
function sitePackages(prefix: string): string[] {
  const lib = join(prefix, 'lib');
  return entries(lib)
    .filter((name) => /^python3(\.\d+)?$/.test(name))
    .flatMap((name) => [join(lib, name, 'site-packages'), join(lib, name, 'dist-packages')]);
}

function pythonPrefixes(env: Environment): string[] {
  const python = findExecutable('python3', env);
  const prefixes = [env.VIRTUAL_ENV, env.CONDA_PREFIX];
  if (python !== undefined) prefixes.push(dirname(dirname(python)), dirname(dirname(realpathSync(python))));
  prefixes.push('/usr/local', '/usr');
  return [...new Set(prefixes.filter((prefix): prefix is string => Boolean(prefix)))];
}

function toolkitFolders(env: Environment): string[] {
  const homes = [env.CUDA_HOME, env.CUDA_PATH].filter((home): home is string => Boolean(home));
  return [...homes, '/usr/local/cuda'].flatMap((home) => [join(home, 'lib64'), join(home, 'lib')]);
}

/**
 * Paths at which a library may be, in the order in which they are tried: the one that its variable names, and then no
 * other; else what the loader finds, then the toolkit, then Python's wheels. Bare names are for the loader.
 */
export function libraryCandidates(search: LibrarySearch, env: Environment = process.env): string[] {
  const forced = env[search.variable];
  if (forced) return [forced];
  const folders = search.toolkit
    ? [
        ...toolkitFolders(env),
        ...pythonPrefixes(env)
          .flatMap(sitePackages)
          .flatMap((site) => (search.wheels ?? []).map((wheel) => join(site, 'nvidia', wheel, 'lib'))),
      ]
    : driverFolders;
  const paths = folders.flatMap((folder) => search.names.map((name) => join(folder, name)));
  return [...search.names, ...new Set(paths.filter((path) => existsSync(path)))];
}
