import { UnavailableError } from '@ffma/core';
import {
  type LibrarySearch,
  libraries,
  libraryCandidates,
  libraryPlaces,
  type SearchContext,
  searchContext,
} from '@ffma/core/cuda';
import type { NativeBinding, NativeCublas } from '../addon/binding.js';
import { addon } from '../addon/load-addon.js';
import { type MathOverride, mathOverrides } from '../math-overrides.js';

/** Where cuBLAS was found, or everything that was tried. */
export interface CublasReport {
  readonly found: boolean;
  readonly path: string | undefined;
  /** `13.1.0`. */
  readonly version: string | undefined;
  /** A sentence for each place that would not do, in the order of the search. */
  readonly attempts: readonly string[];
  /** Variables that change what it computes. */
  readonly overrides: readonly MathOverride[];
}

/** A cuBLAS that loads and has what is needed. */
export interface OpenCublas {
  readonly binding: NativeBinding;
  readonly library: NativeCublas;
  readonly version: string;
}

/** cuBLAS of CUDA 12, the oldest that is looked for. */
const leastMajor = 12;

const cublasFiles = {
  names: ['libcublas.so.13', 'libcublas.so.12', 'libcublas.so'],
  variable: 'FFMA_LIBCUBLAS',
  toolkit: true,
  wheels: ['cu13', 'cublas'],
} as const satisfies LibrarySearch;

export interface SearchOptions {
  readonly context?: SearchContext;
  readonly binding?: NativeBinding;
}

interface Search {
  readonly open: OpenCublas | undefined;
  readonly attempts: readonly string[];
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Ends what somebody else wrote as a sentence. */
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** The driver's CUDA version, or undefined where there is no driver, which `openDevice` reports. */
function driverVersion(binding: NativeBinding, env: SearchContext['env']): number | undefined {
  try {
    return binding.openDriver(libraryCandidates(libraries.cuda, env));
  } catch {
    return undefined;
  }
}

/** Why a library that loads cannot be used, as the rest of a sentence; undefined where it can. */
function unfit(library: NativeCublas, driver: number | undefined): string | undefined {
  const [major] = library.version;
  if (major < leastMajor) return `which is older than ${leastMajor}, the oldest that can be used`;
  if (driver !== undefined && Math.floor(driver / 1000) < major) {
    const cuda = `${Math.floor(driver / 1000)}.${Math.floor((driver % 1000) / 10)}`;
    return `which needs a driver for CUDA ${major}, but the installed one is for CUDA ${cuda}`;
  }
  return undefined;
}

async function search({ context = searchContext(), binding: given }: SearchOptions): Promise<Search> {
  const attempts: string[] = [];
  let binding: NativeBinding;
  try {
    binding = given ?? addon();
  } catch (error) {
    return { open: undefined, attempts: [messageOf(error)] };
  }
  const driver = driverVersion(binding, context.env);
  for (const place of libraryPlaces(cublasFiles, context)) {
    if (place.type === 'empty') {
      attempts.push(`${place.folder} holds no cuBLAS.`);
      continue;
    }
    try {
      const library = await binding.openLibrary(place.file);
      const version = library.version.join('.');
      const reason = unfit(library, driver);
      if (reason === undefined) return { open: { binding, library, version }, attempts };
      attempts.push(`${library.path} is cuBLAS ${version}, ${reason}.`);
    } catch (error) {
      attempts.push(sentence(`${place.file}: ${messageOf(error).replace(`${place.file}: `, '')}`));
    }
  }
  return { open: undefined, attempts };
}

/** The search that found something; a fruitless one is made again, since cuBLAS may have been installed meanwhile. */
let found: { readonly named: string | undefined; readonly search: Search } | undefined;

async function cachedSearch(options: SearchOptions): Promise<Search> {
  if (options.context !== undefined || options.binding !== undefined) return search(options);
  const named = process.env[cublasFiles.variable];
  if (found !== undefined && found.named === named) return found.search;
  const result = await search(options);
  if (result.open !== undefined) found = { named, search: result };
  return result;
}

/** Looks for cuBLAS. What is not there is told in the report, never thrown. */
export async function findCublas(options: SearchOptions = {}): Promise<CublasReport> {
  const { open, attempts } = await cachedSearch(options);
  return {
    found: open !== undefined,
    path: open?.library.path,
    version: open?.version,
    attempts,
    overrides: mathOverrides(options.context?.env),
  };
}

/** Finds and opens cuBLAS, once a process. @throws UnavailableError with all that was tried in `details.attempts` */
export async function openCublas(options: SearchOptions = {}): Promise<OpenCublas> {
  const { open, attempts } = await cachedSearch(options);
  if (open !== undefined) return open;
  throw new UnavailableError(`cuBLAS was not found. ${attempts.join(' ')}`, {
    remedy: `Install it (in the CUDA toolkit, or pip install nvidia-cublas), or name its file in ${cublasFiles.variable}.`,
    details: { attempts },
  });
}
