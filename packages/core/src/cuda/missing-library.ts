import type { Environment } from '../compile/find-executable.js';
import type { LibraryAttempt } from './binding.js';
import type { LibrarySearch } from './library-paths.js';
import { isFolder } from './search-context.js';

function anyOf(names: readonly string[]): string {
  return names.length === 1 ? `no ${names[0]}` : `none of ${names.join(', ')}`;
}

/** Put after a path: the variable that names it, where one does. */
export function namedBy({ variable }: LibrarySearch, env: Environment): string {
  return env[variable] ? ` (${variable} names it)` : '';
}

/** What is wrong with a file that is there, as the end of a sentence. */
function faultOf({ path, problem, reason }: LibraryAttempt, named: string): string {
  return problem === 'incomplete'
    ? `${path}${named} is too old, it has no function ${reason}`
    : `${path}${named} does not load (${reason.replace(`${path}: `, '').replace(/\.$/, '')})`;
}

/** Where a search found nothing, as the end of a sentence. */
function absenceOf({ names, variable, toolkit }: LibrarySearch, env: Environment): string {
  const forced = env[variable];
  if (forced && isFolder(forced)) return `${variable} is the folder ${forced}, which holds ${anyOf(names)}`;
  if (forced) return `${variable} is ${forced}, which is not found`;
  if (names.length === 1 && !toolkit) return `${names[0]} is not found`;
  return `${anyOf(names)} is found by the loader, in CUDA toolkits or in Python's packages`;
}

/**
 * Why no candidate of a search would do, as the end of a sentence: of files that are there what is wrong with each,
 * else where was looked.
 */
export function missingLibrary(
  search: LibrarySearch,
  attempts: readonly LibraryAttempt[],
  env: Environment = process.env,
): string {
  const faults = attempts.filter(({ problem }) => problem !== 'absent');
  return faults.length > 0
    ? faults.map((fault) => faultOf(fault, namedBy(search, env))).join('; ')
    : absenceOf(search, env);
}
