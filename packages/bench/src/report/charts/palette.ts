/** Colours of a theme by role. */
export interface Theme {
  readonly paper: string;
  /** Behind tables, quotes and cells. */
  readonly raised: string;
  readonly ink: string;
  /** Text that matters less. */
  readonly muted: string;
  /** Lines of a grid, borders. */
  readonly rule: string;
  readonly link: string;
  readonly warning: string;
  /** Behind a cell that is faster, or slower, than what it is set beside. */
  readonly faster: string;
  readonly slower: string;
  /** Of series, told apart by people who see no red, no green or no blue, too. */
  readonly series: readonly string[];
}

export type ThemeName = 'light' | 'dark';

export const themes: Readonly<Record<ThemeName, Theme>> = {
  light: {
    paper: '#ffffff',
    raised: '#f3f5f8',
    ink: '#16191d',
    muted: '#59616b',
    rule: '#d5dae1',
    link: '#0b57b5',
    warning: '#8a4b00',
    faster: '#cfe5f7',
    slower: '#fbe0cc',
    series: ['#1952af', '#d17d3e', '#279ea4', '#72235d', '#6e6105', '#a361fb'],
  },
  dark: {
    paper: '#14171c',
    raised: '#1e232a',
    ink: '#eceff3',
    muted: '#a7b0bb',
    rule: '#3a424d',
    link: '#7db8ff',
    warning: '#f2b56b',
    faster: '#173a57',
    slower: '#54331a',
    series: ['#0280f7', '#fa8233', '#83f9eb', '#bd3da8', '#fce343', '#c5a2d4'],
  },
};

/** How many series have a colour of their own. */
export const SERIES = themes.light.series.length;

/** Every colour as a CSS variable: `--ink`, `--series-1`. */
export function variablesOf({ series, ...roles }: Theme): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(Object.entries(roles).map(([role, colour]) => [`--${role}`, colour as string])),
    ...Object.fromEntries(series.map((colour, i) => [`--series-${i + 1}`, colour])),
  };
}

export const ink = 'var(--ink)';
export const muted = 'var(--muted)';
export const rule = 'var(--rule)';
export const paper = 'var(--paper)';
export const faster = 'var(--faster)';
export const slower = 'var(--slower)';

export const seriesColour = (index: number) => `var(--series-${(index % SERIES) + 1})`;

const symbols = ['circle', 'square', 'triangle', 'diamond', 'star', 'wye'] as const;
const dashes = ['none', '7 3', '2 3', '8 3 2 3', '4 2', '1 2'] as const;

/** What tells a series from others without its colour. */
export const seriesSymbol = (index: number) => symbols[index % symbols.length] as string;
export const seriesDash = (index: number) => dashes[index % dashes.length] as string;

/** Writes colours in the place of variables, for what is shown without the page's style. */
export function withColours(text: string, theme: Theme): string {
  const colours = variablesOf(theme);
  return text.replaceAll(/var\((--[a-z0-9-]+)\)/g, (whole, name: string) => colours[name] ?? whole);
}
