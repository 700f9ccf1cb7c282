import { describe, expect, it } from 'vitest';
import { type Theme, themes, variablesOf, withColours } from './palette.js';

type Rgb = readonly [number, number, number];

/** Linear light of a colour such as `#1952af`. */
function linear(colour: string): Rgb {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

/** Contrast as the Web Content Accessibility Guidelines define it, 1 to 21. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red, green, blue] = linear(colour);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [high, low] = [luminance(one), luminance(other)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

// Machado, Oliveira and Fernandes (2009), severity 1: what those see who lack one kind of cone.
const sight: Readonly<Record<string, readonly Rgb[]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'no red': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'no green': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'no blue': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** A colour in Oklab, as somebody with that sight sees it. */
function seen(colour: string, matrix: readonly Rgb[]): Rgb {
  const from = linear(colour);
  const [r, g, b] = matrix.map((row) =>
    Math.min(1, Math.max(0, row[0] * from[0] + row[1] * from[1] + row[2] * from[2])),
  ) as unknown as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Pairs that are nearer than a tenth of the way from black to white, to somebody. */
function alike(colours: readonly string[]): string[] {
  const found: string[] = [];
  for (const [who, matrix] of Object.entries(sight))
    for (const [i, one] of colours.entries())
      for (const other of colours.slice(i + 1)) {
        const [x, y] = [seen(one, matrix), seen(other, matrix)];
        if (Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) < 0.1) found.push(`${one} ${other} ${who}`);
      }
  return found;
}

/** What of a theme cannot be read or told apart, as sentences. */
function faultsOf({ series, paper, raised, ink, muted, link, warning, faster, slower }: Theme): string[] {
  const text = { ink, muted, link, warning };
  return [
    ...Object.entries(text).flatMap(([role, colour]) =>
      [paper, raised].flatMap((on) => (contrast(colour, on) < 4.5 ? [`${role} on ${on}`] : [])),
    ),
    ...[faster, slower].flatMap((on) => (contrast(ink, on) < 4.5 ? [`ink on ${on}`] : [])),
    ...series.flatMap((colour) => (contrast(colour, paper) < 3 ? [`${colour} on ${paper}`] : [])),
    ...alike(series),
  ];
}

describe('the palette', () => {
  it.each(Object.entries(themes))('can be read and told apart by everybody: %s', (_, theme) => {
    expect(faultsOf(theme)).toEqual([]);
  });

  it('is measured: faults are found in worse ones', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
    const { light } = themes;
    expect(faultsOf({ ...light, muted: '#999999' })).toEqual(['muted on #ffffff', 'muted on #f3f5f8']);
    expect(faultsOf({ ...light, faster: '#123456' })).toEqual(['ink on #123456']);
    // Orange and green of one lightness, which two men of a hundred see alike.
    expect(faultsOf({ ...light, series: ['#c24e00', '#6b7d00'] }).join()).toMatch(/no (red|green)/);
    expect(faultsOf({ ...light, series: ['#e0e0ff'] })).toEqual(['#e0e0ff on #ffffff']);
  });

  it('has the same roles in both themes, each a CSS variable', () => {
    expect(Object.keys(variablesOf(themes.dark))).toEqual(Object.keys(variablesOf(themes.light)));
    expect(withColours('fill="var(--ink)" stroke="var(--series-2)" x="var(--else)"', themes.dark)).toBe(
      `fill="${themes.dark.ink}" stroke="${themes.dark.series[1]}" x="var(--else)"`,
    );
  });
});
