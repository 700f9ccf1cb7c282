import { defineResultKind } from './kind.js';
import { resultSchema } from './schema.js';

export const benchKind = defineResultKind({
  kind: 'bench',
  version: 1,
  schema: resultSchema,
  migrations: [],
  writtenBy: 'ffma bench --json',
});
