import { expect, test } from 'vitest';
import { UsageError } from '../usage-error.js';
import { parseResult, readResult } from './store.js';

test('what is no result at all is wrong usage, in a sentence', async () => {
  for (const text of ['{ "name": "x", "version": "1.0.0" }', '3', 'null', '[]'])
    expect(() => parseResult(text, 'package.json')).toThrow(UsageError);
  expect(() => parseResult('{}', 'package.json')).toThrow(
    /^package\.json is no result of ffma: it does not say "kind": "bench"\./,
  );
  await expect(readResult('/nowhere/r.json')).rejects.toBeInstanceOf(UsageError);
});

test('of a result that breaks the schema the first fields are named, in one line', () => {
  const parse = () => parseResult('{ "kind": "bench", "schemaVersion": 2 }', 'r.json');
  expect(parse).toThrow(/^r\.json is no ffma result of schema version 1: schemaVersion: .*; and \d+ more\./);
  expect(parse).not.toThrow(/\n/);
});
