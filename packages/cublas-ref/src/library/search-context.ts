import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the search for cuBLAS looks at; replaced in tests. */
export interface SearchContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** A path of the system, e.g. `/usr/local`. */
  at(path: string): string;
  exists(path: string): boolean;
}

/** @param root where the system's own folders are looked for */
export function searchContext(
  env: SearchContext['env'] = process.env,
  root = '/',
  home = homedir(),
): SearchContext {
  return { env, home, at: (path) => join(root, path), exists: existsSync };
}
