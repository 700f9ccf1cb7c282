import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jsonSchemas } from './json-schemas.js';

const folder = new URL('../../schema/', import.meta.url);
const hint = 'Stale: build, then run pnpm run schema in packages/bench.';

test.each(jsonSchemas())('the published $file is the one that the zod schema gives', ({ file, schema }) => {
  const published = readFileSync(new URL(file, folder), 'utf8');
  expect(JSON.parse(published), hint).toEqual(JSON.parse(JSON.stringify(schema)));
});

test('nothing else is published', () => {
  expect(readdirSync(folder).sort()).toEqual(
    jsonSchemas()
      .map(({ file }) => file)
      .sort(),
  );
});
