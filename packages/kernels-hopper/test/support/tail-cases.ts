import type { Device, DeviceOptions } from '@ffma/core';
import { h03 } from '@ffma/kernels-hopper';
import type { VerifyCase } from '@ffma/verify';
import { smallDevice } from '../../../../scripts/emulator/small-device.js';

/** The smallest tile, which is emulated the soonest, cut wherever a stage ends. */
export const everyStage = h03.variant('64x32_every_stage');

/** A device that holds six blocks of it, whether somebody has counted its registers or not. */
export const sixBlocks = (options?: DeviceOptions): Promise<Device> =>
  smallDevice(3, options, { sharedBytesPerSm: 110 * 1024 });

/**
 * For six blocks. A tile for each, and two of eight stages, the last not full, for all: a ring that goes round, and tiles
 * of three parts and more. Then one tile of three stages, so that half of the blocks have none.
 */
export const tailCases: readonly VerifyCase[] = [
  { shape: { m: 128, n: 128, k: 229, lda: 232, alpha: 2, beta: -3 }, data: 'integers', expect: 'run' },
  { shape: { m: 128, n: 122, k: 229, lda: 232, ldb: 124, ldc: 124 }, data: 'integers', expect: 'run' },
  { shape: { m: 35, n: 31, k: 96, ldb: 32, ldc: 32 }, data: 'integers', expect: 'run' },
];
