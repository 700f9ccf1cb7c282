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
  /** Of a CUDA device; the clock rate is the highest that an SM can be set to. */
  readonly properties?: { readonly attributes: { readonly clockRateKHz?: number | undefined } } | undefined;
}

/** A device whose events are times of a GPU. Asked for by ability, not by kind. */
export type TimingDevice = Device & SamplesClocks;

export function isTiming(device: Device): device is TimingDevice {
  return typeof (device as Partial<SamplesClocks>).sampleClocks === 'function';
}

/** Highest SM clock, in MHz; undefined where nobody knows. */
export function maxSmClockMHz({ properties }: Pick<TimingDevice, 'properties'>): number | undefined {
  const kHz = properties?.attributes.clockRateKHz;
  return kHz !== undefined && kHz > 0 ? kHz / 1000 : undefined;
}
