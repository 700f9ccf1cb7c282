import type { Lowering } from './helpers.js';
import type { Op } from './spec.js';
import { meet } from './warp.js';

const nothing: Lowering = () => [];
const fence: Lowering = () => [{ kind: 'fence' }];

/** Control flow is held by the graph; see `bra` and friends there. */
const flow: Lowering = (instruction) =>
  instruction.modifiers.every((word) => word === 'uni') ? [{ kind: 'none' } satisfies Op] : undefined;

/** `bar.sync id[, threads]` and `barrier.sync[.aligned]`, which count whole warps, and `bar.warp.sync mask`. */
const bar: Lowering = (instruction) => {
  const words = instruction.modifiers.filter((word) => word !== 'cta' && word !== 'aligned');
  const [id, threads, ...more] = instruction.operands;
  if (words.join() === 'warp,sync') {
    return id !== undefined && threads === undefined ? meet('sync', id, []) : undefined;
  }
  if (words.join() !== 'sync' || more.length > 0) return undefined;
  if (id?.kind !== 'int' || id.value < 0n || id.value > 15n) return undefined;
  if (threads !== undefined && (threads.kind !== 'int' || threads.value % 32n !== 0n)) return undefined;
  return [
    {
      kind: 'barrier',
      id: Number(id.value),
      threads: threads === undefined ? undefined : Number(threads.value),
      aligned: instruction.op === 'bar' || instruction.modifiers.includes('aligned'),
    },
  ];
};

export const control: Readonly<Record<string, Lowering>> = {
  bra: flow,
  ret: flow,
  exit: flow,
  trap: flow,
  bar,
  barrier: bar,
  membar: fence,
  fence,
  prefetch: nothing,
  prefetchu: nothing,
  nanosleep: nothing,
  applypriority: nothing,
  discard: nothing,
  pragma: nothing,
};
