import { bar } from './barrier.js';
import type { Lowering } from './helpers.js';
import { reachesBlocks } from './memory-order.js';
import type { Op } from './spec.js';

const nothing: Lowering = () => [];
const fence: Lowering = (instruction) => [
  { kind: 'fence', wide: reachesBlocks(instruction) && !instruction.modifiers.includes('proxy') },
];

/** Control flow is held by the graph; see `bra` and friends there. */
const flow: Lowering = (instruction) =>
  instruction.modifiers.every((word) => word === 'uni') ? [{ kind: 'none' } satisfies Op] : undefined;

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
