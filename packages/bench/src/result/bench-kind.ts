import { benchFromVersion1 } from './bench-version-1.js';
import { defineResultKind } from './kind.js';
import { resultSchema } from './schema.js';

export const benchKind = defineResultKind({
  kind: 'bench',
  version: 2,
  schema: resultSchema,
  migrations: [benchFromVersion1],
  writtenBy: 'ffma bench --json',
});
