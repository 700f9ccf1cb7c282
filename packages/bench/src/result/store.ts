import { type AnyResult, kindNamed } from './kinds.js';
import { ofKind, parseAnyResult, readAnyResult } from './read.js';
import type { BenchResult } from './schema.js';

/** Arrays of numbers, each broken over lines as `JSON.stringify` breaks them. */
const brokenNumbers = /\[\n\s+(-?[\d.eE+-]+(?:,\n\s+-?[\d.eE+-]+)*)\n\s+\]/g;

/** A result of any kind as text, checked against its schema first. A list of numbers is one line. */
export function stringifyResult(result: AnyResult): string {
  const text = JSON.stringify(kindNamed(result.kind)?.schema.parse(result), null, 2);
  return `${text.replaceAll(brokenNumbers, (_, numbers: string) => `[${numbers.replaceAll(/,\n\s+/g, ', ')}]`)}\n`;
}

/** @throws ResultFileError for what is no result of ffma bench or ffma experiment */
export function parseResult(text: string, from = 'The text'): BenchResult {
  return ofKind(parseAnyResult(text, from), 'bench', from);
}

/** @throws ResultFileError for what is no result of ffma bench or ffma experiment */
export async function readResult(path: string): Promise<BenchResult> {
  return ofKind(await readAnyResult(path), 'bench', path);
}
