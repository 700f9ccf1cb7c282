import { type Device, openDevice, registerProvider } from '@ffma/core';
import type { CounterOptions, Sanitizers, Schedule } from '@ffma/emulator';
import { hasFfmaCode } from '../error-sentence.js';

export type DeviceKind = 'emulator' | 'cuda' | 'auto';

/** What the laboratory asks of a device. All but the kind concern the emulator only. */
export interface BenchDeviceOptions {
  /** Default `auto`. */
  readonly kind?: DeviceKind;
  readonly fma?: 'auto' | 'relaxed' | 'f64';
  readonly counters?: boolean | CounterOptions;
  readonly checks?: boolean | Partial<Sanitizers>;
  readonly workers?: number;
  readonly schedule?: Schedule;
}

async function openEmulator({ kind: _, ...options }: BenchDeviceOptions): Promise<Device> {
  const { deviceProvider } = await import('@ffma/emulator');
  registerProvider(deviceProvider);
  return openDevice('emulator', options);
}

/**
 * Opens a device for measuring. `auto` takes CUDA where it works, else the emulator, as `openDevice` does, but
 * passes each only the options that are its own.
 * @throws UnavailableError with the reason
 */
export async function openBenchDevice(options: BenchDeviceOptions = {}): Promise<Device> {
  const { kind = 'auto' } = options;
  if (kind === 'emulator') return openEmulator(options);
  try {
    return await openDevice('cuda');
  } catch (error) {
    if (kind === 'cuda' || !hasFfmaCode(error) || error.code !== 'FFMA_UNAVAILABLE') throw error;
  }
  return openEmulator(options);
}
