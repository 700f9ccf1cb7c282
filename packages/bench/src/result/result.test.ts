import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { hostFacts, toolVersions } from './provenance.js';
import { resultJsonSchema } from './schema.js';
import { parseResult, readResult, writeAtomically } from './store.js';

test('the published JSON schema is the one that the zod schema gives', () => {
  const published = readFileSync(new URL('../../schema/result.schema.json', import.meta.url), 'utf8');
  const hint = 'Stale: build, then run pnpm run schema in packages/bench.';
  expect(JSON.parse(published), hint).toEqual(JSON.parse(JSON.stringify(resultJsonSchema())));
});

test('a file is written whole, over an old one, and nothing else is left', async () => {
  using folder = temporaryFolder({ 'r.json': 'old' });
  await writeAtomically(join(folder.path, 'r.json'), 'new');
  expect(readdirSync(folder.path)).toEqual(['r.json']);
  expect(readFileSync(join(folder.path, 'r.json'), 'utf8')).toBe('new');
});

test('what cannot be written or read is said with the path', async () => {
  using folder = temporaryFolder({ 'text.json': 'hello', 'other.json': { schemaVersion: 2 } });
  await expect(writeAtomically(join(folder.path, 'no', 'r.json'), '')).rejects.toThrow(
    /r\.json cannot be written: ENOENT/,
  );
  await expect(readResult(join(folder.path, 'gone.json'))).rejects.toThrow(/gone\.json cannot be read/);
  await expect(readResult(join(folder.path, 'text.json'))).rejects.toThrow(/text\.json is no JSON/);
  await expect(readResult(join(folder.path, 'other.json'))).rejects.toThrow(
    /no ffma result of schema version 1:.*schemaVersion.*ffma bench --json/s,
  );
  expect(() => parseResult('{}')).toThrow(/rows/);
});

test('versions and host are those at work', () => {
  expect(Object.keys(toolVersions())).toEqual([
    '@ffma/bench',
    '@ffma/core',
    '@ffma/emulator',
    '@ffma/verify',
  ]);
  expect(hostFacts()).toMatchObject({
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
  });
});
