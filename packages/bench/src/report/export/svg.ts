import { drawChart } from '../charts/chart.js';
import { type Drawing, textWidth, WIDE } from '../charts/drawing.js';
import { type ThemeName, themes, withColours } from '../charts/palette.js';
import { escapeHtml } from '../html/escape.js';
import type { Figure } from '../model.js';

const MARGIN = 20;
const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif';
const TITLE_SIZE = 16;

/** A picture that needs no page: with its title, its background, and colours of one theme. */
export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Words in lines of at most so many pixels. */
function lines(text: string, room: number, fontSize: number): string[] {
  const found: string[] = [''];
  for (const word of text.split(' ')) {
    const longer = `${found.at(-1)} ${word}`.trim();
    if (textWidth(longer, fontSize) > room && found.at(-1) !== '') found.push(word);
    else found[found.length - 1] = longer;
  }
  return found;
}

/** A chart as an SVG of its own, to be shown anywhere. */
export function renderPicture(on: Drawing, figure: Figure, theme: ThemeName): Picture {
  const { title, says, chart, source } = figure;
  const drawn = drawChart(on, chart, WIDE);
  const inner = Number(/ height="([\d.]+)"/.exec(drawn)?.[1]);
  const width = WIDE + 2 * MARGIN;
  const titles = lines(title, WIDE * 0.92, TITLE_SIZE);
  const head = MARGIN + titles.length * 22 + 12;
  const foot = source === undefined ? 0 : 24;
  const height = Math.ceil(head + inner + foot + MARGIN);
  const words = titles
    .map((line, i) => `<text x="${MARGIN}" y="${MARGIN + 14 + i * 22}">${escapeHtml(line)}</text>`)
    .join('');
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="${FONT}">`,
    `<title>${escapeHtml(title)}</title><desc>${escapeHtml(says)}</desc>`,
    `<rect width="${width}" height="${height}" fill="var(--paper)"/>`,
    `<g font-size="${TITLE_SIZE}" font-weight="bold" fill="var(--ink)">${words}</g>`,
    drawn.replace(/^<svg/, `<svg x="${MARGIN}" y="${head}" overflow="visible"`),
    source === undefined
      ? ''
      : `<text x="${MARGIN}" y="${height - MARGIN}" font-size="11" fill="var(--muted)">${escapeHtml(source)}</text>`,
    '</svg>',
    '',
  ].join('\n');
  return { svg: withColours(svg, themes[theme]), width, height };
}
