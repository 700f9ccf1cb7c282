import type { z } from 'zod';

export type JsonObject = { readonly [field: string]: unknown };

/**
 * Turns a file's content from one schema version into the next; `schemaVersion` itself is set by its caller. What it is
 * given was never checked, so that it passes on what it does not know: the newest schema names what is wrong.
 */
export type Migration = (old: JsonObject) => JsonObject;

/** A kind of result file: what its `kind` field says, and how it is read. */
export interface ResultKind<Kind extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly kind: Kind;
  /** The schema version that is written now. */
  readonly version: number;
  readonly schema: Schema;
  /** From version 1 to 2, from 2 to 3, and so on up to `version`. */
  readonly migrations: readonly Migration[];
  /** The command that writes such files, for remedies: `ffma bench --json`. */
  readonly writtenBy: string;
}

/** @throws Error where there is not one migration for each older version */
export function defineResultKind<Kind extends string, Schema extends z.ZodType>(
  kind: ResultKind<Kind, Schema>,
): ResultKind<Kind, Schema> {
  const { version, migrations } = kind;
  if (migrations.length !== version - 1)
    throw new Error(
      `Version ${version} of ${kind.kind} needs ${version - 1} migrations, not ${migrations.length}.`,
    );
  return kind;
}
