import type { DeviceLimits } from '../device/limits.js';
import { type BlockResources, occupancyOf } from '../device/occupancy.js';
import { UnsupportedError } from '../errors.js';

/** A block, with whether its registers are what a compiler counted. */
export interface ResidentBlock extends BlockResources {
  readonly estimated?: boolean;
}

/** What a block needs of a multiprocessor, beside what there is, where one block needs more than all. */
function excesses(
  { threads, registersPerThread, sharedBytes, estimated = false }: ResidentBlock,
  limits: DeviceLimits,
): string[] {
  const alone = (block: Partial<BlockResources>) =>
    occupancyOf({ threads, registersPerThread: 1, sharedBytes: 0, ...block }, limits).blocksPerSm > 0;
  const { maxThreadsPerBlock, registersPerSm, sharedBytesPerBlockOptin, sharedBytesPerSm } = limits;
  const shared = Math.min(sharedBytesPerBlockOptin, sharedBytesPerSm - limits.sharedBytesReservedPerBlock);
  if (!alone({})) return [`${threads} threads, of ${maxThreadsPerBlock} that a block can have`];
  const most = estimated ? ' (estimated: nothing has counted them)' : '';
  const registers = `${registersPerThread} registers${most} for each of ${threads} threads, of ${registersPerSm} in all`;
  return [
    ...(alone({ registersPerThread }) ? [] : [registers]),
    ...(alone({ sharedBytes }) ? [] : [`${sharedBytes} bytes of shared memory, of ${shared}`]),
  ];
}

/**
 * How many blocks a multiprocessor holds at a time: what a persistent kernel launches on each, so that none waits for
 * one that cannot start.
 * @param what a block has, for the message: `128×128×8 tiles`
 * @throws UnsupportedError naming the limits where it holds none
 */
export function residentBlocks(what: string, block: ResidentBlock, limits: DeviceLimits): number {
  const { blocksPerSm } = occupancyOf(block, limits);
  if (blocksPerSm > 0) return blocksPerSm;
  throw new UnsupportedError(
    `No block of ${what} fits on a multiprocessor of this device: it needs ${excesses(block, limits).join(' and ')}.`,
    { remedy: 'Use a variant with smaller tiles or fewer stages.' },
  );
}
