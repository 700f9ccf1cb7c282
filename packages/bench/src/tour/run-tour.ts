import { openDevice } from '@ffma/core';
import { runBench } from '../bench/run-bench.js';
import type { Size } from '../bench/sizes.js';
import { openBenchDevice } from '../device/open-bench-device.js';
import type { Discovery } from '../discover/kernel-package.js';
import type { SelectedKernel } from '../discover/select.js';
import { hasFfmaCode } from '../error-sentence.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { OnStep } from '../step.js';
import { runVerify, type VerifiedKernel } from '../verify/run-verify.js';

export interface TourOptions {
  readonly size: Size;
  readonly fma?: 'auto' | 'relaxed' | 'f64';
  readonly onStep?: OnStep;
  /** Called when the device that verifies is open; `noGpu` is why it is not a GPU. */
  readonly onDevice?: (
    device: { readonly name: string; readonly arch: string },
    noGpu: string | undefined,
  ) => void;
  readonly onVerified?: (verified: VerifiedKernel) => void;
  /** Called for each row, with the rows so far. */
  readonly onRow?: (row: ResultRow, rows: readonly ResultRow[]) => void;
}

export interface TourResult {
  readonly verified: readonly VerifiedKernel[];
  readonly counted: BenchResult;
}

/** Why there is no GPU, as a sentence; undefined where there is one. */
async function whyNoGpu(): Promise<string | undefined> {
  try {
    await using _ = await openDevice('cuda');
    return undefined;
  } catch (error) {
    if (hasFfmaCode(error) && error.code === 'FFMA_UNAVAILABLE') return error.message;
    throw error;
  }
}

async function verifyAll(
  selected: readonly SelectedKernel[],
  options: TourOptions,
): Promise<VerifiedKernel[]> {
  const { fma = 'auto', onStep, onVerified, onDevice } = options;
  const noGpu = await whyNoGpu();
  await using device = await openBenchDevice({ kind: noGpu === undefined ? 'cuda' : 'emulator', fma });
  onDevice?.(device, noGpu);
  return await runVerify(device, selected, {
    level: 'quick',
    ...(onStep === undefined ? {} : { onStep }),
    ...(onVerified === undefined ? {} : { onReport: onVerified }),
  });
}

/**
 * Verifies kernels quickly, on a GPU where there is one, then counts on the emulator what each does beside the one
 * it is based on. What is found is handed out as it comes.
 */
export async function runTour(
  discovery: Discovery,
  selected: readonly SelectedKernel[],
  options: TourOptions,
): Promise<TourResult> {
  const { size, fma = 'auto', onStep, onRow } = options;
  const verified = await verifyAll(selected, options);
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
  return { verified, counted };
}
