import { archNumber } from '@ffma/core';
import { maxSmClockMHz, type TimingDevice } from './timing-device.js';

/** What no FP32 kernel can exceed: SMs × lanes × 2 × clock. */
export interface Peak {
  readonly tflops: number;
  readonly smCount: number;
  /** FP32 multiply-adds that an SM starts in a cycle. */
  readonly lanesPerSm: number;
  readonly clockMHz: number;
}

/**
 * FP32 lanes of an SM, by compute capability.
 * Source: CUDA C++ Programming Guide, throughput of native arithmetic instructions.
 */
const lanes: Readonly<Record<number, number>> = {
  50: 128,
  52: 128,
  53: 128,
  60: 64,
  61: 128,
  62: 128,
  70: 64,
  72: 64,
  75: 64,
  80: 64,
  86: 128,
  87: 128,
  89: 128,
  90: 128,
  100: 128,
  101: 128,
  103: 128,
  110: 128,
  120: 128,
  121: 128,
};

/** The FP32 peak of a device, or the sentence why it is not known. */
export function peakOf(device: Pick<TimingDevice, 'arch' | 'limits' | 'properties'>): Peak | string {
  const lanesPerSm = lanes[archNumber(device.arch)];
  if (lanesPerSm === undefined) return `How many FP32 lanes an SM of ${device.arch} has is not known here.`;
  const clockMHz = maxSmClockMHz(device);
  if (clockMHz === undefined) return 'The highest SM clock of the device is not known.';
  const { smCount } = device.limits;
  return { tflops: (smCount * lanesPerSm * 2 * clockMHz) / 1e6, smCount, lanesPerSm, clockMHz };
}

/** Work done in a time, in TFLOP/s. */
export function tflopsOf(flops: number, us: number): number {
  return flops / us / 1e6;
}
