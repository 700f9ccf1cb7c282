import { readdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { SearchContext } from './search-context.js';

/** Where NVIDIA's wheels put cuBLAS, below a folder of Python packages: those for CUDA 13, then those for 12. */
const inSite = [join('nvidia', 'cu13', 'lib'), join('nvidia', 'cublas', 'lib')];

function folders(parent: string, pattern: RegExp): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => pattern.test(name))
      .sort((x, y) => y.localeCompare(x, 'en', { numeric: true }))
      .map((name) => join(parent, name));
  } catch {
    return [];
  }
}

/** Package folders of an installation of Python, newest first: `lib/python3.12/site-packages`, Debian's too. */
function sitesOf(prefix: string): string[] {
  return ['lib', 'lib64'].flatMap((lib) =>
    folders(join(prefix, lib), /^python3(\.\d+)?$/).flatMap((version) => [
      join(version, 'site-packages'),
      join(version, 'dist-packages'),
    ]),
  );
}

/** Prefixes of the python3 programs on the PATH: that of a virtual environment, which links to another, is its own. */
function prefixesOnPath({ env, exists }: SearchContext): string[] {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && exists(join(folder, 'python3')))
    .map(dirname);
}

/**
 * Folders in which Python wheels may have put cuBLAS, found without running Python: the active environment, PYTHONPATH,
 * the user's own packages, then every python3 on the PATH.
 */
export function pythonFolders(context: SearchContext): string[] {
  const { env, home, at } = context;
  const active = [env.VIRTUAL_ENV, env.CONDA_PREFIX].filter(
    (prefix) => prefix !== undefined && prefix !== '',
  );
  const prefixes = [
    ...active,
    join(home, '.local'),
    ...prefixesOnPath(context),
    at('/usr/local'),
    at('/usr'),
  ];
  const paths = (env.PYTHONPATH ?? '').split(delimiter).filter((path) => path !== '');
  const sites = [...paths, ...prefixes.flatMap((prefix) => sitesOf(prefix as string))];
  const conda = env.CONDA_PREFIX ? [join(env.CONDA_PREFIX, 'lib')] : [];
  return [...conda, ...sites.flatMap((site) => inSite.map((inner) => join(site, inner)))];
}
