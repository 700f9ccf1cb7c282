import { type CountedResources, type DeviceLimits, occupancyOf, resourcesOf, type Variant } from '@ffma/core';
import type { Compiled } from './records.js';

type Facts = Pick<
  Compiled,
  'outcome' | 'reason' | 'registers' | 'sharedBytes' | 'spillBytes' | 'blocksPerSm'
>;

interface Block {
  readonly threads: number;
  readonly registers: number;
  /** Static and dynamic, in bytes. */
  readonly sharedBytes: number;
}

/** Why a block does not fit on a multiprocessor; undefined where it does. */
function misfit({ threads, registers, sharedBytes }: Block, limits: DeviceLimits): string | undefined {
  const { maxThreadsPerBlock, sharedBytesPerBlockOptin, registersPerSm } = limits;
  if (threads > maxThreadsPerBlock) return `A block has ${threads} threads, of ${maxThreadsPerBlock}.`;
  if (sharedBytes > sharedBytesPerBlockOptin)
    return `A block takes ${sharedBytes} bytes of shared memory, of ${sharedBytesPerBlockOptin}.`;
  if (registers * threads > registersPerSm)
    return `${registers} registers × ${threads} threads are ${registers * threads}, of ${registersPerSm}.`;
  const { blocksPerSm } = occupancyOf({ threads, registersPerThread: registers, sharedBytes }, limits);
  return blocksPerSm > 0 ? undefined : 'No block of it fits on a multiprocessor.';
}

/**
 * Whether a variant that was compiled can run on a device: spills that its kernel does not explain, and limits that a
 * block of any entry exceeds, end its way here. The figures are those of the entry `main`.
 * @param counted as ptxas counted it; where none ran, spills are not known, and the launch bound stands for registers
 */
export function judgeResources(
  variant: Variant,
  counted: CountedResources | undefined,
  limits: DeviceLimits,
): Facts {
  const { threads: usual, dynamicSharedBytes } = variant.derived;
  const all = Object.entries(resourcesOf(variant, counted)).map(([entry, { registers, sharedBytes }]) => ({
    threads: variant.entries[entry]?.threads ?? usual,
    registers,
    sharedBytes: sharedBytes + (entry === 'main' ? dynamicSharedBytes : 0),
  }));
  const main = counted?.main;
  const { sharedBytes } = all[0] as Block;
  const block = { threads: usual, registersPerThread: main?.registers ?? 0, sharedBytes };
  const facts = {
    sharedBytes,
    ...(main === undefined
      ? {}
      : {
          registers: main.registers,
          spillBytes: main.spillBytes,
          blocksPerSm: occupancyOf(block, limits).blocksPerSm,
        }),
  };
  const reason = all.map((one) => misfit(one, limits)).find((why) => why !== undefined);
  if (reason !== undefined) return { ...facts, outcome: 'too large', reason };
  const spilled = Math.max(0, ...Object.values(counted ?? {}).map((one) => one?.spillBytes ?? 0));
  if (spilled > 0 && variant.definition.allowSpills === undefined)
    return { ...facts, outcome: 'spills', reason: `It spills ${spilled} bytes a thread.` };
  return { ...facts, outcome: 'built' };
}
