import type { NvmlSample } from './binding.js';

/** Names of the bits of nvmlClocksEventReasons (NVML reference, "Clocks event reasons"). */
const reasons: readonly (readonly [bit: bigint, name: string])[] = [
  [0x1n, 'gpu-idle'],
  [0x2n, 'application-clocks'],
  [0x4n, 'software-power-cap'],
  [0x8n, 'hardware-slowdown'],
  [0x10n, 'sync-boost'],
  [0x20n, 'software-thermal'],
  [0x40n, 'hardware-thermal'],
  [0x80n, 'hardware-power-brake'],
  [0x100n, 'display-clocks'],
];

/** Readings of a GPU at one moment. */
export interface ClockSample {
  readonly smClockMHz: number;
  readonly memoryClockMHz: number;
  readonly powerW: number;
  readonly temperatureC: number;
  /** Why the clocks are not higher. `gpu-idle` and `application-clocks` are no faults. */
  readonly reasons: readonly string[];
  /** Whether a limit of power or temperature holds the clocks down: such a measurement is not repeatable. */
  readonly throttled: boolean;
}

const harmless = new Set(['gpu-idle', 'application-clocks', 'sync-boost', 'display-clocks']);

export function clockSample({ throttleReasons, ...readings }: NvmlSample): ClockSample {
  const names = reasons.filter(([bit]) => (throttleReasons & bit) !== 0n).map(([, name]) => name);
  return { ...readings, reasons: names, throttled: names.some((name) => !harmless.has(name)) };
}
