// Writes schema/result.schema.json from the zod schema. Run it after a build; a test tells when it is stale.
import { writeFileSync } from 'node:fs';
import { resultJsonSchema } from '../dist/result/schema.js';

const target = new URL('../schema/result.schema.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(resultJsonSchema(), null, 2)}\n`);
