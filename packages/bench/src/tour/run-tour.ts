import { runBench } from '../bench/run-bench.js';
import { openBenchDevice } from '../device/open-bench-device.js';
import type { Discovery } from '../discover/kernel-package.js';
import type { SelectedKernel } from '../discover/select.js';
import type { ResultRow } from '../result/schema.js';
import type { TourOptions, TourResult } from './options.js';
import { verifyAndTime } from './verify-and-time.js';

/**
 * Verifies kernels quickly, on a GPU where there is one, and there times them, too; then counts on the emulator what
 * each does beside the one it is based on. What is found is handed out as it comes.
 */
export async function runTour(
  discovery: Discovery,
  selected: readonly SelectedKernel[],
  options: TourOptions,
): Promise<TourResult> {
  const { size, fma = 'auto', onStep, onRow } = options;
  const { verified, timed } = await verifyAndTime(discovery, selected, options);
  await using emulator = await openBenchDevice({ kind: 'emulator', counters: true, fma });
  const rows: ResultRow[] = [];
  const counted = await runBench(emulator, selected, {
    sizes: [size],
    discovery,
    ...(onStep === undefined ? {} : { onStep }),
    onRow: (row) => {
      rows.push(row);
      onRow?.(row, rows);
    },
  });
  return { verified, ...(timed === undefined ? {} : { timed }), counted };
}
