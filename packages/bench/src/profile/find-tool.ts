import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, findExecutable } from '@ffma/core/compile';
import { UsageError } from '../usage-error.js';

/** Where a program of NVIDIA's is looked for. */
export interface ToolPlaces {
  readonly name: string;
  /** Environment variable that names it. */
  readonly variable: string;
  /** Folders whose subfolders are versions, which of them, and the program inside one. */
  readonly versions: readonly { readonly folder: string; readonly names: RegExp; readonly inside: string }[];
}

export interface SearchContext {
  readonly env: Environment;
  /** What lies in a folder; nothing where there is none. */
  readonly list?: (folder: string) => readonly string[];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** `cuda-13.0` after `cuda-9.2`: the newest first. */
const newestFirst = (names: readonly string[]) =>
  [...names].sort((x, y) => y.localeCompare(x, 'en', { numeric: true }));

/** A program of the CUDA toolkit, in its usual folders. */
export const inToolkit = (name: string) => ({
  folder: '/usr/local',
  names: /^cuda(?:-|$)/,
  inside: `bin/${name}`,
});

/** Places in the order in which they are tried, for people too. */
export function placesOf({ name, versions }: ToolPlaces, { env, list = namesIn }: SearchContext): string[] {
  const homes = [env.CUDA_HOME, env.CUDA_PATH].filter((home) => !!home) as string[];
  return [
    name,
    ...homes.map((home) => join(home, 'bin', name)),
    ...versions.flatMap(({ folder, names, inside }) =>
      newestFirst(list(folder).filter((each) => names.test(each))).map((each) => join(folder, each, inside)),
    ),
  ];
}

/**
 * Path of a program of NVIDIA's; undefined where there is none.
 * @throws UsageError where the variable names something that is not there: nothing else is taken in its place
 */
export function findTool(places: ToolPlaces, context: SearchContext): string | undefined {
  const { env } = context;
  const named = env[places.variable];
  if (named) {
    const path = findExecutable(named, env);
    if (path === undefined)
      throw new UsageError(`${places.variable} names ${named}, which is no program that can be run.`);
    return path;
  }
  for (const place of placesOf(places, context)) {
    const path = findExecutable(place, env);
    if (path !== undefined) return path;
  }
  return undefined;
}
