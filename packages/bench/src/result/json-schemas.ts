import { z } from 'zod';
import { resultKinds } from './kinds.js';

/** A published JSON schema (draft 2020-12); unknown fields are allowed, so that files can gain parts. */
export interface PublishedSchema {
  /** Its file in the package's `schema` folder. */
  readonly file: string;
  readonly schema: object;
}

/** The JSON schema of every kind of result file. */
export function jsonSchemas(): PublishedSchema[] {
  return resultKinds.map(({ kind, schema }) => {
    // Results of benchmarks were there first, and their schema is linked to by this name.
    const name = kind === 'bench' ? 'result' : kind;
    return {
      file: `${name}.schema.json`,
      schema: {
        $id: `https://unpkg.com/@ffma/bench/schema/${name}.schema.json`,
        title: `ffma ${name}`,
        ...z.toJSONSchema(schema, { io: 'input' }),
      },
    };
  });
}
