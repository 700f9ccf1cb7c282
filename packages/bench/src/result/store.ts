import { readFile } from 'node:fs/promises';
import { ArgumentError } from '@ffma/core';
import type { z } from 'zod';
import { sentenceOf } from '../error-sentence.js';
import { UsageError } from '../usage-error.js';
import { type BenchResult, resultSchema } from './schema.js';

/** Arrays of numbers, each broken over lines as `JSON.stringify` breaks them. */
const brokenNumbers = /\[\n\s+(-?[\d.eE+-]+(?:,\n\s+-?[\d.eE+-]+)*)\n\s+\]/g;

/** A result as text, checked against its schema first. A list of numbers is one line. */
export function stringifyResult(result: BenchResult): string {
  const text = JSON.stringify(resultSchema.parse(result), null, 2);
  return `${text.replaceAll(brokenNumbers, (_, numbers: string) => `[${numbers.replaceAll(/,\n\s+/g, ', ')}]`)}\n`;
}

/** As many fields are named; a file of another version has hundreds that differ. */
const MOST_FAULTS = 3;

function faultsOf({ issues }: z.ZodError): string {
  const named = issues
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => `${path.join('.') || 'the whole'}: ${message}`);
  const more = issues.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** @throws ArgumentError naming fields that break the schema; UsageError for what is no result at all */
export function parseResult(text: string, from = 'The text'): BenchResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${from} is no JSON: ${sentenceOf(error)}.`, { cause: error });
  }
  const parsed = resultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const remedy = 'Result files are written by ffma bench --json.';
  if ((value as { kind?: unknown } | null)?.kind !== 'bench')
    throw new UsageError(`${from} is no result of ffma: it does not say "kind": "bench".`, { remedy });
  throw new ArgumentError(`${from} is no ffma result of schema version 1: ${faultsOf(parsed.error)}.`, {
    remedy,
  });
}

/** @throws ArgumentError where it cannot be read or is no result */
export async function readResult(path: string): Promise<BenchResult> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${sentenceOf(error)}.`, { cause: error });
  }
  return parseResult(text, path);
}
