import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { sentenceOf } from '../error-sentence.js';
import { ResultFileError } from './file-error.js';
import { fieldOf, jsonFault } from './json-fault.js';
import type { JsonObject, ResultKind } from './kind.js';
import { type AnyResult, kindNamed, type ResultKindName, type ResultOf, resultKinds } from './kinds.js';
import { migrate } from './migrate.js';

/** As many fields are named; a file that somebody else made has hundreds that differ. */
const MOST_FAULTS = 3;

function faultsOf({ issues }: z.ZodError): string {
  const named = issues
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => `${fieldOf(path) || 'the whole'}: ${message}`);
  const more = issues.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

const writers = () =>
  `Result files are written by ${resultKinds.map(({ writtenBy }) => writtenBy).join(', ')}.`;

function jsonOf(text: string, from: string): unknown {
  if (text.trim() === '') throw new ResultFileError(`${from} is empty.`, { remedy: writers() });
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = jsonFault(text);
    const where =
      fault && `line ${fault.line}, column ${fault.column}${fault.field && `, in ${fault.field}`}`;
    const why = fault === undefined ? sentenceOf(error) : `${fault.what} (${where})`;
    throw new ResultFileError(`${from} is no JSON: ${why}.`, { cause: error });
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checked<Result>(value: JsonObject, kind: ResultKind, from: string): Result {
  const parsed = kind.schema.safeParse(migrate(value, kind, from));
  if (parsed.success) return parsed.data as Result;
  const was = value.schemaVersion === kind.version ? '' : ` (migrated from version ${value.schemaVersion})`;
  throw new ResultFileError(
    `${from} is no ${kind.kind} result of schema version ${kind.version}${was}: ${faultsOf(parsed.error)}.`,
    { remedy: `${kind.writtenBy} writes such files.` },
  );
}

/**
 * The content of a result file, in the newest version of its schema: older ones are migrated.
 * @param from what the text came from, for errors
 * @throws ResultFileError naming the field that is wrong
 */
export function parseAnyResult(text: string, from = 'The text'): AnyResult {
  // What some editors put before the first letter.
  const value = jsonOf(text.replace(/^\uFEFF/, ''), from);
  const kind = isObject(value) ? kindNamed(value.kind) : undefined;
  if (isObject(value) && kind !== undefined) return checked<AnyResult>(value, kind, from);
  const known = resultKinds.map((one) => `"${one.kind}"`).join(', ');
  const why = !isObject(value)
    ? `it is ${Array.isArray(value) ? 'an array' : value === null ? 'null' : `a ${typeof value}`}, not an object`
    : value.kind === undefined
      ? 'it does not say its "kind"'
      : `its kind is ${JSON.stringify(value.kind)}, but is one of ${known} here`;
  throw new ResultFileError(`${from} is no result of ffma: ${why}.`, { remedy: writers() });
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
};

/** @throws ResultFileError for what is no text */
async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    const why = reasons[error.code ?? ''] ?? sentenceOf(error);
    throw new ResultFileError(`${path} cannot be read: ${why}.`, { cause: error });
  });
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    throw new ResultFileError(`${path} is in UTF-16.`, { remedy: 'Save it as UTF-8.' });
  if (bytes.includes(0))
    throw new ResultFileError(`${path} is a binary file, not JSON.`, { remedy: writers() });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ResultFileError(`${path} is no text in UTF-8.`, { cause: error, remedy: writers() });
  }
}

/**
 * Reads a result file of any kind, in the newest version of its schema.
 * @throws ResultFileError naming the file and what is wrong with it
 */
export async function readAnyResult(path: string): Promise<AnyResult> {
  return parseAnyResult(await textOf(path), path);
}

/**
 * The result, if it is of a kind.
 * @throws ResultFileError
 */
export function ofKind<Kind extends ResultKindName>(
  result: AnyResult,
  kind: Kind,
  from: string,
): ResultOf<Kind> {
  if (result.kind === kind) return result as ResultOf<Kind>;
  const writtenBy = kindNamed(kind)?.writtenBy;
  throw new ResultFileError(`${from} is a ${result.kind} result, but a ${kind} result is needed here.`, {
    remedy: `${writtenBy} writes such files.`,
  });
}
