import type { Claim } from '@ffma/core';

const counts = [
  'instructions.ffma',
  'shared.load.requests',
  'shared.store.requests',
  'global.load.requests',
  'global.load.sectors',
  'global.store.requests',
  'global.store.sectors',
  'async.bytes',
] as const;

/** Whether a kernel does as its base does: as many FFMAs, and memory accesses of every kind. */
export const sameWork: Claim['holds'] = (own, base) =>
  base === undefined || counts.every((name) => own.value(name) === base.value(name));
