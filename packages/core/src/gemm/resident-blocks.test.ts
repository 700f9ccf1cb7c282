import { describe, expect, it } from 'vitest';
import type { DeviceLimits } from '../device/limits.js';
import { residentBlocks } from './resident-blocks.js';

const limits = {
  warpSize: 32,
  maxThreadsPerBlock: 1024,
  maxThreadsPerSm: 2048,
  maxBlocksPerSm: 32,
  registersPerSm: 65536,
  sharedBytesPerSm: 100 * 1024,
  sharedBytesPerBlockOptin: 99 * 1024,
  sharedBytesReservedPerBlock: 1024,
} as DeviceLimits;

const blocks = (threads: number, registersPerThread: number, sharedBytes: number, own = limits) =>
  residentBlocks('k', { threads, registersPerThread, sharedBytes }, own);

describe('residentBlocks', () => {
  it('is the occupancy where a block fits', () => {
    expect(blocks(128, 255, 0)).toBe(2);
    expect(blocks(128, 32, 99 * 1024)).toBe(1);
  });

  it('names each limit that a block breaks by itself, and no other', () => {
    expect(() => blocks(2048, 32, 0)).toThrow(
      /^No block of k fits .*: it needs 2048 threads, of 1024 that a block can have\. Use a variant/,
    );
    expect(() => blocks(512, 255, 0)).toThrow(
      /: it needs 255 registers for each of 512 threads, of 65536 in all\. /,
    );
    expect(() => blocks(128, 32, 100 * 1024)).toThrow(
      /: it needs 102400 bytes of shared memory, of 101376\. /,
    );
    expect(() => blocks(512, 255, 100 * 1024)).toThrow(/registers .* and 102400 bytes of shared memory/);
    const estimated = { threads: 512, registersPerThread: 255, sharedBytes: 0, estimated: true };
    expect(() => residentBlocks('k', estimated, limits)).toThrow(/255 registers \(estimated: .*\) for each/);
    const little = { ...limits, sharedBytesPerSm: 64 * 1024 };
    expect(() => blocks(128, 32, 64 * 1024, little)).toThrow(/65536 bytes of shared memory, of 64512\. /);
  });

  it('is refused as what the device does not support', () => {
    expect(() => blocks(512, 255, 0)).toThrow(expect.objectContaining({ code: 'FFMA_UNSUPPORTED' }));
  });
});
