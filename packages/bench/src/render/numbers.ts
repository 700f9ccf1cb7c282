import type { Size } from '../bench/sizes.js';

/** A figure with about three digits; thousands, millions and billions as K, M and G. `–` where there is none. */
export function figure(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  for (const [unit, letter] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e4, 'K'],
  ] as const) {
    if (size >= unit) return `${digits(value / (letter === 'K' ? 1e3 : unit))}${letter}`;
  }
  return digits(value);
}

function digits(value: number): string {
  if (Number.isInteger(value)) return String(value);
  const size = Math.abs(value);
  if (size < 0.001) return value.toPrecision(2);
  return String(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 3)));
}

/** A share of 1 as a percentage. */
export function percent(value: number | null | undefined): string {
  return value === null || value === undefined || Number.isNaN(value) ? '–' : `${digits(value * 100)} %`;
}

/** A change as a share of 1, in percent to a tenth, without the unit: `+5.0`, `−2.1` with a real minus, `±0.0`. */
export function signed(change: number): string {
  const tenths = (Math.abs(change) * 100).toFixed(1);
  return `${tenths === '0.0' ? '±' : change > 0 ? '+' : '−'}${tenths}`;
}

/** Bytes in the largest binary unit that leaves at least 1. */
export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let scaled = value;
  let unit = 0;
  for (; scaled >= 1024 && unit < units.length - 1; unit++) scaled /= 1024;
  return `${digits(Number(scaled.toFixed(1)))} ${units[unit]}`;
}

/** A span of time for a person: `0.4 s`, `12 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `256³`, or `1024×512×64` as m×n×k; a batch of 8 is `b8×256³`. */
export function shape({ m, n, k, batch = 1 }: Size): string {
  const one = m === n && n === k ? `${n}³` : `${m}×${n}×${k}`;
  return batch === 1 ? one : `b${batch}×${one}`;
}

/** `1 kernel`, `3 kernels`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** A float32 by the fewest digits that give it again: 0.1, not 0.10000000149011612. */
export function float32(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === Math.fround(value)) return String(text);
  }
  return String(value);
}
