import { defineResultKind } from '../result/kind.js';
import { profileSchema } from './schema.js';

export const profileKind = defineResultKind({
  kind: 'profile',
  version: 1,
  schema: profileSchema,
  migrations: [],
  writtenBy: 'ffma profile --json',
});
