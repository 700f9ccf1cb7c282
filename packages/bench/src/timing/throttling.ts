import type { ClockSample } from './timing-device.js';

/** Reasons for lower clocks that pass by themselves or that the GPU's owner has set: no cause to run a round again. */
const harmless: ReadonlySet<string> = new Set([
  'gpu-idle',
  'application-clocks',
  'sync-boost',
  'display-clocks',
]);

/** All reasons for lower clocks that the samples name, in the order met. */
export function reasonsOf(samples: readonly ClockSample[]): string[] {
  return [...new Set(samples.flatMap(({ reasons }) => reasons))];
}

/** Why a round is not repeatable: limits of power and temperature, and slowdowns by hardware; empty where it is. */
export function throttledBy(samples: readonly ClockSample[]): string[] {
  const throttled = samples.filter((sample) => sample.throttled);
  const names = reasonsOf(throttled).filter((name) => !harmless.has(name));
  return throttled.length > 0 && names.length === 0 ? ['unknown'] : names;
}
