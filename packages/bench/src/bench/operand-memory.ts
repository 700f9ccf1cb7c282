import type { Device } from '@ffma/core';
import { bytes, shape } from '../render/numbers.js';
import { UsageError } from '../usage-error.js';
import type { Size } from './sizes.js';

/** Host memory that the operands of one size may take: A, B and C together. */
const MOST_HOST_BYTES = 4 * 2 ** 30;

/** Bytes of A, B and C as float32, without padding, of all products of a batch. */
export function operandBytes({ m, n, k, batch = 1 }: Size): number {
  return batch * 4 * (m * k + k * n + m * n);
}

/**
 * Refuses a size whose operands cannot be held, before anything is made for it.
 * @param device its free memory counts too; left out where none is open yet
 * @throws UsageError
 */
export function checkOperandMemory(sizes: readonly Size[], device?: Pick<Device, 'name' | 'memInfo'>): void {
  const free = device?.memInfo().free ?? Number.POSITIVE_INFINITY;
  for (const size of sizes) {
    const needed = operandBytes(size);
    const limit =
      needed > MOST_HOST_BYTES
        ? `of host memory ${bytes(MOST_HOST_BYTES)} is the most that is used`
        : needed > free
          ? `${device?.name} has ${bytes(free)} free`
          : undefined;
    if (limit !== undefined) {
      throw new UsageError(`The operands of ${shape(size)} take ${bytes(needed)}, but ${limit}.`, {
        remedy: 'Choose a smaller size.',
      });
    }
  }
}
