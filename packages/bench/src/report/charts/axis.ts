import type { Drawing } from './drawing.js';
import { muted, rule } from './palette.js';
import type { Scale } from './scale.js';

/** Round values of a linear axis, about `count` of them, from below `least` to above `most`. */
export function roundTicks(least: number, most: number, count: number): number[] {
  const raw = (most - least) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10) * power;
  const first = Math.floor(least / step);
  const ticks: number[] = [];
  for (let i = first; i * step < most + step * 0.999; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** Powers of ten from below `least` to above `most`; 2 and 5 times them, too, where they are few. */
export function logTicks(least: number, most: number): number[] {
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const factors = to - from <= 2 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = from; power <= to; power++)
    for (const factor of factors) ticks.push(Number((factor * 10 ** power).toPrecision(12)));
  const below = Math.max(
    0,
    ticks.findLastIndex((tick) => tick <= least),
  );
  const above = ticks.findIndex((tick) => tick >= most);
  // One value alone stands between two.
  const last = above <= below ? below + 1 : above;
  return ticks.slice(last < ticks.length ? below : below - 1, last + 1);
}

/** Lines across a chart at the values of an axis. */
export const gridLine = { stroke: rule, strokeOpacity: 1, strokeWidth: 1 } as const;

/** A value of an axis: `2 000`, `66.9`. */
export const axisNumber = (value: number) => {
  const [whole = '', part] = String(Number(value.toPrecision(6))).split('.');
  const spaced = whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, '\u202f');
  return part === undefined ? spaced : `${spaced}.${part}`;
};

/**
 * Labels of an axis, by places in pixels: Plot leaves out those of a logarithmic axis that it holds to be too many.
 * @param line where they stand across the axis
 */
export function labelsBelow(
  { Plot }: Drawing,
  y: Scale,
  ticks: readonly number[],
  text: (tick: number) => string,
  line: number,
) {
  return Plot.text(ticks, {
    x: (tick: number) => tick,
    y: () => y.from(line),
    text,
    fill: muted,
  });
}

/** The same of an axis that goes up. */
export function labelsBeside(
  { Plot }: Drawing,
  x: Scale,
  ticks: readonly number[],
  text: (tick: number) => string,
  line: number,
) {
  return Plot.text(ticks, {
    x: () => x.from(line),
    y: (tick: number) => tick,
    text,
    textAnchor: 'end',
    fill: muted,
  });
}
