import { asChange, asMicroseconds, sameSize } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { ExperimentRecordRow, PublishedRecord } from '../result/experiment-schema.js';

const kinds: Readonly<Record<PublishedRecord['kind'], string>> = {
  'fixed configuration': 'fixed',
  "sweep's best": 'best of a sweep',
};

function valueText({ value, unit }: PublishedRecord): string {
  if (unit === 'us') return asMicroseconds(value);
  return `${value} ${unit}`;
}

/** `67.6 µs on H100, fixed`; `97 % on H100, best of a sweep`. */
export function publishedText(figure: PublishedRecord): string {
  const { gpu, kind, note } = figure;
  return `${valueText(figure)} on ${gpu}, ${kinds[kind]}${note === undefined ? '' : `, ${note}`}`;
}

/** How the published times of two rows stand to each other; undefined where they cannot be set side by side. */
export function publishedChange(
  rows: readonly ExperimentRecordRow[],
  of: string,
  to: string,
  size: Size,
): string | undefined {
  const figuresOf = (name: string) =>
    (rows.find((row) => row.name === name)?.published ?? []).filter((one) => sameSize(one.size, size));
  for (const own of figuresOf(of)) {
    const alike = (other: PublishedRecord) =>
      other.unit === own.unit && other.gpu === own.gpu && other.kind === own.kind && other.note === own.note;
    const base = figuresOf(to).find(alike);
    if (base === undefined) continue;
    // Of a speed, more is less time.
    return asChange((own.unit === 'us' ? own.value / base.value : base.value / own.value) - 1);
  }
  return undefined;
}
