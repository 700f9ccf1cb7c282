import type { Device } from '@ffma/core';

/** What a GPU says of itself, as NVML reads it. */
export interface ClockSample {
  readonly smClockMHz: number;
  readonly memoryClockMHz: number;
  readonly powerW: number;
  readonly temperatureC: number;
  /** Why clocks are not higher: names of nvmlClocksEventReasons. */
  readonly reasons: readonly string[];
  /** Whether one of them, such as a limit of power, makes a measurement that cannot be repeated. */
  readonly throttled: boolean;
}

/** The ability to read clocks while kernels run. */
export interface SamplesClocks {
  /** @throws FfmaError with code FFMA_UNAVAILABLE where NVML is not there */
  sampleClocks(): ClockSample | Promise<ClockSample>;
  /** The highest SM clock that the device can be set to; absent where nobody knows. */
  readonly maxSmClockMHz?: number | undefined;
}

/** A device whose events are times of a GPU. Asked for by ability, not by kind. */
export type TimingDevice = Device & SamplesClocks;

export function isTiming(device: Device): device is TimingDevice {
  return typeof (device as Partial<SamplesClocks>).sampleClocks === 'function';
}
