// Writes schema/*.schema.json from the zod schemas. Run it after a build; a test tells when they are stale.
import { writeFileSync } from 'node:fs';
import { jsonSchemas } from '../dist/result/json-schemas.js';

for (const { file, schema } of jsonSchemas()) {
  const target = new URL(`../schema/${file}`, import.meta.url);
  writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);
}
