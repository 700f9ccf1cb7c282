import { bar } from './barrier.js';
import type { Lowering } from './helpers.js';
import { hostCall } from './host.js';
import { reachesBlocks } from './memory-order.js';
import type { Op } from './spec.js';

const nothing: Lowering = () => [];
/** Fences between threads; between them and asynchronous copies (`fence.proxy.async`); of mbarriers that are new. */
const fence: Lowering = (instruction) => {
  const { modifiers } = instruction;
  if (modifiers[0] === 'mbarrier_init') return hostCall('proxy_fence', [1]);
  if (modifiers[0] === 'proxy')
    return modifiers[1] === 'async' ? hostCall('proxy_fence', [0]) : [{ kind: 'none' }];
  return [{ kind: 'fence', wide: reachesBlocks(instruction) }];
};

/** `setmaxnreg.{inc,dec}.sync.aligned.u32 n`: registers cost nothing here, but n must be one that a GPU takes. */
const setmaxnreg: Lowering = ({ modifiers, operands }) => {
  const [count, ...more] = operands;
  const known = /^(inc|dec)\.sync\.aligned\.u32$/.test(modifiers.join('.'));
  if (!known || count?.kind !== 'int' || more.length > 0) return undefined;
  const { value } = count;
  if (value < 24n || value > 256n || value % 8n !== 0n)
    throw new RangeError(`setmaxnreg takes a multiple of 8 from 24 to 256, not ${value}`);
  return [];
};

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
  setmaxnreg,
  // Launches are in order, and none starts before the one before it has ended.
  griddepcontrol: nothing,
};
