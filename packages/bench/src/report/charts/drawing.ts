import { ink } from './palette.js';

/** Observable Plot and a document to draw in, loaded when the first chart is drawn: they take a third of a second. */
export interface Drawing {
  readonly Plot: typeof import('@observablehq/plot');
  readonly document: ReturnType<typeof import('linkedom')['parseHTML']>['document'];
}

export async function drawing(): Promise<Drawing> {
  const [Plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  return { Plot, document: parseHTML('<!doctype html><html></html>').document };
}

/** Widths in CSS pixels that a chart is laid out for: on a desk and in print, and on a telephone. */
export const WIDE = 760;
export const NARROW = 358;
export type ChartWidth = typeof WIDE | typeof NARROW;

export const FONT_SIZE = 12;

/** How much wider bold text is. */
export const BOLD = 1.15;

/** About the width of text in CSS pixels, in the font of the charts; a little more than it takes. */
export const textWidth = (text: string, fontSize = FONT_SIZE) =>
  [...text].reduce(
    (sum, letter) => sum + (/[MW%@—]/.test(letter) ? 0.86 : /[ilj.,:|' ]/.test(letter) ? 0.32 : 0.585),
    0,
  ) * fontSize;

export const widest = (texts: readonly string[], fontSize = FONT_SIZE) =>
  Math.ceil(Math.max(0, ...texts.map((text) => textWidth(text, fontSize))));

/** Text that takes no more than `room` pixels, marked where it was cut. */
export function fitted(text: string, room: number, fontSize = FONT_SIZE): string {
  if (textWidth(text, fontSize) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, fontSize) > room) letters.pop();
  return `${letters.join('')}…`;
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly unknown[];
  readonly [option: string]: unknown;
}

/** What is used of an element of the picture. */
interface Element {
  readonly outerHTML: string;
  querySelectorAll(selector: string): Iterable<Element>;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

/** What Plot puts into a picture for pages of its own, and what an image of one part has no use for. */
const superfluous = ['aria-label', 'aria-hidden', 'aria-description', 'class', 'font-family', 'font-variant'];

/**
 * Draws marks, and gives the SVG as text, without a style of its own: the page's colours and font apply.
 * @param frame options of `Plot.plot`
 */
export function draw({ Plot, document }: Drawing, frame: Frame): string {
  const svg = Plot.plot({
    document,
    style: undefined,
    ...frame,
  } as unknown as Parameters<typeof Plot.plot>[0]) as unknown as Element;
  for (const style of [...svg.querySelectorAll('style')]) style.remove();
  for (const element of [svg, ...svg.querySelectorAll('*')]) {
    for (const name of superfluous) element.removeAttribute(name);
    if (element.getAttribute('fill') === 'currentColor') element.setAttribute('fill', ink);
    if (element.getAttribute('stroke') === 'currentColor') element.setAttribute('stroke', ink);
  }
  svg.setAttribute('font-size', String(FONT_SIZE));
  return svg.outerHTML;
}

/** `draw` for marks that are placed by pixels, from the upper left. */
export function drawPlaced(on: Drawing, width: number, height: number, marks: readonly unknown[]): string {
  const along = (extent: number) => ({ type: 'linear', domain: [0, extent], range: [0, extent], axis: null });
  return draw(on, { width, height, margin: 0, x: along(width), y: along(height), marks });
}
