import { readFile } from 'node:fs/promises';
import { ArgumentError } from '@ffma/core';
import { z } from 'zod';
import { sentenceOf } from '../error-sentence.js';
import { type BenchResult, resultSchema } from './schema.js';

/** Arrays of numbers, each broken over lines as `JSON.stringify` breaks them. */
const brokenNumbers = /\[\n\s+(-?[\d.eE+-]+(?:,\n\s+-?[\d.eE+-]+)*)\n\s+\]/g;

/** A result as text, checked against its schema first. A list of numbers is one line. */
export function stringifyResult(result: BenchResult): string {
  const text = JSON.stringify(resultSchema.parse(result), null, 2);
  return `${text.replaceAll(brokenNumbers, (_, numbers: string) => `[${numbers.replaceAll(/,\n\s+/g, ', ')}]`)}\n`;
}

/** @throws ArgumentError naming each field that breaks the schema */
export function parseResult(text: string, from = 'The text'): BenchResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ArgumentError(`${from} is no JSON: ${sentenceOf(error)}.`, { cause: error });
  }
  const parsed = resultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ArgumentError(
    `${from} is no ffma result of schema version 1:\n${z.prettifyError(parsed.error)}`,
    {
      remedy: 'Result files are written by ffma bench --json.',
    },
  );
}

/** @throws ArgumentError where it cannot be read or is no result */
export async function readResult(path: string): Promise<BenchResult> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new ArgumentError(`${path} cannot be read: ${sentenceOf(error)}.`, { cause: error });
  }
  return parseResult(text, path);
}
