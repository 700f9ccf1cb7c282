import { UsageError } from '../usage-error.js';

/**
 * A share of 1: `1%`, or 0.01.
 * @throws UsageError where it is not over 0 and under 1
 */
export function parseShare(value: string | number): number {
  const [, digits, percent] = /^(\d+(?:\.\d*)?|\.\d+)\s*(%?)$/.exec(String(value).trim()) ?? [];
  const share = digits === undefined ? Number.NaN : Number(digits) / (percent ? 100 : 1);
  if (share > 0 && share < 1) return share;
  throw new UsageError(`It must be a share such as 1% or 0.01, over 0 and under 100%, but is '${value}'.`);
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  '': 1000,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};

/**
 * A span of time in ms: `90`, `90s`, `10m`, `1.5h`, `500ms`; a number is seconds.
 * @throws UsageError where it is none, or not over 0
 */
export function parseSpan(value: string | number): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)$/.exec(String(value).trim()) ?? [];
  const ms = Number(digits) * (Object.hasOwn(units, unit) ? (units[unit] as number) : Number.NaN);
  if (ms > 0 && Number.isFinite(ms)) return ms;
  throw new UsageError(`It must be a span of time such as 90s, 10m or 1h, over 0, but is '${value}'.`);
}

/** Any number, also 1e-3. @throws UsageError */
export function parseNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new UsageError(`It must be a number such as 1, -0.5 or 1e-3, but is '${text}'.`);
}
