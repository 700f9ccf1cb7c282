import { defineResultKind } from '../result/kind.js';
import { comparisonSchema } from './schema.js';

export const comparisonKind = defineResultKind({
  kind: 'comparison',
  version: 1,
  schema: comparisonSchema,
  migrations: [],
  writtenBy: 'ffma compare --json',
});
