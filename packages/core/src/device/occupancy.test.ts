import { expect, test } from 'vitest';
import { limits } from '../../test/support/fake-device.js';
import { occupancyOf } from './occupancy.js';

/** Compute capability 9.0, as an H200 states it. */
const hopper = { ...limits, smCount: 132 };

// Rows as the CUDA Occupancy Calculator gives them for compute capability 9.0.
test.each([
  { threads: 1024, registers: 32, shared: 8192, blocks: 2, warps: 64, by: ['threads', 'registers'] },
  { threads: 1024, registers: 33, shared: 8192, blocks: 1, warps: 32, by: ['registers'] },
  { threads: 256, registers: 128, shared: 0, blocks: 2, warps: 16, by: ['registers'] },
  { threads: 256, registers: 129, shared: 0, blocks: 1, warps: 8, by: ['registers'] },
  { threads: 128, registers: 255, shared: 49_152, blocks: 2, warps: 8, by: ['registers'] },
  { threads: 128, registers: 64, shared: 73_728, blocks: 3, warps: 12, by: ['shared'] },
  { threads: 64, registers: 16, shared: 0, blocks: 32, warps: 64, by: ['threads', 'blocks'] },
  { threads: 32, registers: 24, shared: 0, blocks: 32, warps: 32, by: ['blocks'] },
  { threads: 256, registers: 255, shared: 0, blocks: 1, warps: 8, by: ['registers'] },
  { threads: 128, registers: 128, shared: 0, blocks: 4, warps: 16, by: ['registers'] },
  { threads: 128, registers: 128, shared: 204_800, blocks: 1, warps: 4, by: ['shared'] },
  { threads: 256, registers: 112, shared: 115_712, blocks: 2, warps: 16, by: ['registers', 'shared'] },
  { threads: 96, registers: 40, shared: 0, blocks: 16, warps: 48, by: ['registers'] },
])(
  '$threads threads, $registers registers, $shared bytes: $blocks blocks',
  ({ threads, registers, shared, blocks, warps, by }) => {
    const found = occupancyOf({ threads, registersPerThread: registers, sharedBytes: shared }, hopper);
    expect(found).toMatchObject({ blocksPerSm: blocks, warpsPerSm: warps, limitedBy: by });
    expect(found.share).toBe(warps / 64);
  },
);

test('the most shared memory a block can have fills a multiprocessor; one byte more fits nowhere', () => {
  const block = { threads: 128, registersPerThread: 32 };
  expect(occupancyOf({ ...block, sharedBytes: 232_448 }, hopper).blocksPerSm).toBe(1);
  expect(occupancyOf({ ...block, sharedBytes: 232_449 }, hopper).blocksPerSm).toBe(0);
  expect(occupancyOf({ threads: 1025, registersPerThread: 8, sharedBytes: 0 }, hopper).blocksPerSm).toBe(0);
});
