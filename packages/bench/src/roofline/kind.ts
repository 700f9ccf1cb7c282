import { defineResultKind } from '../result/kind.js';
import { rooflineSchema } from './schema.js';

export const rooflineKind = defineResultKind({
  kind: 'roofline',
  version: 1,
  schema: rooflineSchema,
  migrations: [],
  writtenBy: 'ffma roofline --json',
});
