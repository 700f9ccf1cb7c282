import type { z } from 'zod';
import { comparisonKind } from '../compare/kind.js';
import { profileKind } from '../profile/kind.js';
import { rooflineKind } from '../roofline/kind.js';
import { sweepKind } from '../sweep/kind.js';
import { benchKind } from './bench-kind.js';
import type { ResultKind } from './kind.js';

/** Every kind of result file. A new one is declared in its own folder, and is one line here. */
export const resultKinds = [benchKind, profileKind, rooflineKind, sweepKind, comparisonKind] as const;

type Kinds = (typeof resultKinds)[number];

/** What the `kind` field of a result file can say. */
export type ResultKindName = Kinds['kind'];

/** Content of a result file of one kind, in its newest version. */
export type ResultOf<Kind extends ResultKindName> = z.infer<Extract<Kinds, { kind: Kind }>['schema']>;

/** Content of any result file; its `kind` tells which. */
export type AnyResult = { [Kind in ResultKindName]: ResultOf<Kind> }[ResultKindName];

export function kindNamed(name: unknown): ResultKind | undefined {
  return resultKinds.find(({ kind }) => kind === name);
}
