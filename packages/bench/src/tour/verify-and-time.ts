import { openDevice } from '@ffma/core';
import { runBench } from '../bench/run-bench.js';
import type { Size } from '../bench/sizes.js';
import { openBenchDevice } from '../device/open-bench-device.js';
import type { Discovery } from '../discover/kernel-package.js';
import type { SelectedKernel } from '../discover/select.js';
import { hasFfmaCode } from '../error-sentence.js';
import { isTiming } from '../timing/timing-device.js';
import { runVerify } from '../verify/run-verify.js';
import type { TourOptions, TourResult } from './options.js';

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

/** Enough to show the order of things; what is published takes three times as many. */
const SHORT = { rounds: 5 };
const TIMED_AT: Size = { m: 1024, n: 1024, k: 1024 };

/** The part of the tour that wants a GPU: verifies quickly, on the emulator where there is none, and times where there is. */
export async function verifyAndTime(
  discovery: Discovery,
  selected: readonly SelectedKernel[],
  options: TourOptions,
): Promise<Pick<TourResult, 'verified' | 'timed'>> {
  const { fma = 'auto', timedAt = TIMED_AT, onStep, onVerified, onDevice, onLeftOut, onTimed } = options;
  const noGpu = await whyNoGpu();
  await using device = await openBenchDevice({ kind: noGpu === undefined ? 'cuda' : 'emulator', fma });
  onDevice?.(device, noGpu);
  const verified = await runVerify(device, selected, {
    level: 'quick',
    ...(onStep === undefined ? {} : { onStep }),
    ...(onVerified === undefined ? {} : { onReport: onVerified }),
    ...(onLeftOut === undefined ? {} : { onLeftOut }),
  });
  if (!isTiming(device) || device.lost !== undefined) return { verified };
  const timed = await runBench(device, selected, { sizes: [timedAt], discovery, protocol: SHORT, onStep });
  onTimed?.(timed);
  return { verified, timed };
}
