import { defineResultKind } from '../result/kind.js';
import { sweepSchema } from './schema.js';

export const sweepKind = defineResultKind({
  kind: 'sweep',
  version: 1,
  schema: sweepSchema,
  migrations: [],
  writtenBy: 'ffma sweep --json',
});
