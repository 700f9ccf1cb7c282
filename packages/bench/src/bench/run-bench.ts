import type { Device } from '@ffma/core';
import type { SelectedKernel } from '../discover/select.js';
import type { BenchResult } from '../result/schema.js';
import { runTimes } from '../timing/run-times.js';
import { isTiming } from '../timing/timing-device.js';
import { checkOperandMemory } from './operand-memory.js';
import type { RunBenchOptions } from './options.js';
import { runCounts } from './run-counts.js';

/**
 * Measures kernels at sizes. A device that has a clock gives times, each beside the reference's; a device that counts
 * gives counters, each beside those of the kernel it is based on. Correct results come first: rows that are wrong
 * are in the result without measurements.
 * @throws UsageError where the operands of a size are too large for the machine or the device
 */
export async function runBench(
  device: Device,
  selected: readonly SelectedKernel[],
  options: RunBenchOptions,
): Promise<BenchResult> {
  checkOperandMemory(options.sizes, device);
  return isTiming(device) ? runTimes(device, selected, options) : runCounts(device, selected, options);
}
