import { readFile } from 'node:fs/promises';
import type { KernelDefinition, Params } from '@ffma/core';
import { sentenceOf } from '../error-sentence.js';
import { UsageError } from '../usage-error.js';

export type Value = number | boolean;

/** Values to search, by parameter; the space is their cartesian product. */
export type SearchSpace = Readonly<Record<string, readonly Value[]>>;

/** More points than this are a mistake: rules alone would take minutes. */
const MOST_POINTS = 1_000_000;

const spell = (values: readonly Value[]) => values.join(', ');

/** Of a list, or of what a person wrote: values of the type that the parameter has. @throws UsageError */
function valuesOf(name: string, given: unknown, { name: kernel, params }: KernelDefinition): Value[] {
  const usual = Object.hasOwn(params, name) ? params[name] : undefined;
  if (usual === undefined) {
    throw new UsageError(
      `${kernel} has no parameter ${name}; it has ${Object.keys(params).join(', ') || 'none'}.`,
    );
  }
  const right = (value: unknown) =>
    typeof usual === 'boolean' ? typeof value === 'boolean' : Number.isSafeInteger(value);
  if (!Array.isArray(given) || given.length === 0 || !given.every(right)) {
    const wanted = typeof usual === 'boolean' ? 'true or false' : 'integers';
    throw new UsageError(
      `${name} is searched over a list of ${wanted}, but is given ${JSON.stringify(given)}.`,
    );
  }
  return [...new Set(given as Value[])].sort((x, y) => Number(x) - Number(y));
}

/**
 * The space that a kernel declares, with the values of some parameters replaced or added, each list sorted and without
 * repetitions, so that one space has one spelling.
 * @throws UsageError for parameters that it does not have, values of another type, and where nothing is left to search
 */
export function searchSpace(definition: KernelDefinition, ...changes: readonly SearchSpace[]): SearchSpace {
  const { name: kernel, params, search = {} } = definition;
  const merged: Record<string, unknown> = Object.assign({}, search, ...changes);
  const space = Object.fromEntries(
    Object.entries(merged).map(([name, values]) => [name, valuesOf(name, values, definition)]),
  );
  if (Object.keys(space).length === 0) {
    throw new UsageError(`${kernel} declares no values to search.`, {
      remedy: `Name some, as --set ${Object.keys(params)[0] ?? 'BM'}=64,128.`,
    });
  }
  const points = Object.values(space).reduce((product, values) => product * values.length, 1);
  if (points > MOST_POINTS) {
    throw new UsageError(`The space of ${kernel} has ${points} points; ${MOST_POINTS} are the most.`, {
      remedy: 'Narrow it: --set BM=64 searches one value of BM.',
    });
  }
  // In declared order, so that points come in the order of the declaration, whoever wrote the lists.
  return Object.fromEntries(
    Object.keys(params).flatMap((name) => (space[name] === undefined ? [] : [[name, space[name]]])),
  );
}

/** Every point of a space, the last parameter changing fastest. */
export function* pointsOf(space: SearchSpace): Generator<Params> {
  const [first, ...others] = Object.entries(space);
  if (first === undefined) {
    yield {};
    return;
  }
  const [name, values] = first;
  for (const value of values) {
    for (const rest of pointsOf(Object.fromEntries(others))) yield { [name]: value, ...rest };
  }
}

/** `BM=64,128` → `{ BM: [64, 128] }`; `SPREAD=true,false` likewise. @throws UsageError */
export function parseSet(text: string): SearchSpace {
  const [, name, list] = /^\s*([A-Za-z]\w*)\s*=(.*)$/.exec(text) ?? [];
  const values = (list ?? '').split(',').map((word) => word.trim());
  const read = (word: string) => (word === 'true' ? true : word === 'false' ? false : Number(word));
  if (name === undefined || values.some((word) => !/^(-?\d+|true|false)$/.test(word))) {
    throw new UsageError(`Values to search are written like BM=64,128 or SPREAD=true, but not '${text}'.`);
  }
  return { [name]: values.map(read) };
}

/** A space in a JSON file: an object of lists, such as `{ "BM": [64, 128] }`. @throws UsageError */
export async function readSpace(path: string): Promise<SearchSpace> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} cannot be read as JSON: ${sentenceOf(error).replace(/\.$/, '')}.`, {
      cause: error,
    });
  }
  const lists = Object.values((value ?? {}) as object);
  if (typeof value !== 'object' || Array.isArray(value) || !lists.every(Array.isArray) || lists.length === 0)
    throw new UsageError(`${path} must be an object of lists, such as { "BM": [64, 128] }.`);
  return value as SearchSpace;
}

/** `BM 64, 128 · BN 64`: a space in one line. */
export function spaceText(space: SearchSpace): string {
  return Object.entries(space)
    .map(([name, values]) => `${name} ${spell(values)}`)
    .join(' · ');
}
