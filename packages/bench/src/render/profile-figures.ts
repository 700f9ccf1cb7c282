import { figure } from './numbers.js';

const decimals: readonly (readonly [number, string])[] = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** Bytes with decimal prefixes, as profilers print them: `595.6 MB`. */
function decimalBytes(value: number, suffix: string): string {
  const [factor, prefix] = decimals.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  const scaled = value / factor;
  return `${prefix === '' ? scaled : scaled.toFixed(scaled >= 100 ? 0 : 1)} ${prefix}B${suffix}`;
}

/** A figure of a profile with its unit, where the heading does not say it; `–` where there is none. */
export function profileFigure(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return '–';
  if (unit === '%') return `${value.toFixed(value >= 99.95 || value === 0 ? 0 : 1)} %`;
  if (unit === 'bytes/s') return decimalBytes(value, '/s');
  if (unit === 'bytes' && value > 999) return decimalBytes(value, '');
  if (unit === 'µs') return `${value.toFixed(1)} µs`;
  if (['warps', 'warps/cycle', 'cycles'].includes(unit)) return value.toFixed(2);
  return figure(value);
}
