import { createHash } from 'node:crypto';
import type { Table } from '../../render/table.js';
import { drawChart } from '../charts/chart.js';
import { type Drawing, NARROW, WIDE } from '../charts/drawing.js';
import type { Block, Figure } from '../model.js';
import { escapeHtml } from './escape.js';

const DIGEST = /^[0-9a-f]{64}$/;

function cell(text: string, column: Table['columns'][0] | undefined, header: boolean): string {
  const kind = column?.align === 'right' ? ' class="number"' : DIGEST.test(text) ? ' class="digest"' : '';
  return header ? `<th scope="row"${kind}>${escapeHtml(text)}</th>` : `<td${kind}>${escapeHtml(text)}</td>`;
}

/** A table with its caption; it scrolls by itself where it is wider than the page. */
export function tableHtml(caption: string, { columns, rows }: Table): string {
  const head = columns.map(
    ({ title, align }) =>
      `<th scope="col"${align === 'right' ? ' class="number"' : ''}>${escapeHtml(title)}</th>`,
  );
  const body = rows.map(
    ({ cells }) => `<tr>${cells.map((text, i) => cell(text, columns[i], i === 0)).join('')}</tr>`,
  );
  const name = escapeHtml(caption);
  return (
    `<div class="scroll" role="group" tabindex="0" aria-label="${name}"><table><caption>${name}</caption>` +
    `<thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
  );
}

/** A picture that is read as its title and what it shows. */
function pictureHtml(svg: string, { title, says }: Figure, id: string, kind: 'wide' | 'narrow'): string {
  const own = `${id}-${kind}`;
  const attributes = `<svg class="${kind}" role="img" aria-labelledby="${own}-title ${own}-says"`;
  const words = `<title id="${own}-title">${escapeHtml(title)}</title><desc id="${own}-says">${escapeHtml(says)}</desc>`;
  return svg.replace(/^<svg/, attributes).replace(/>/, `>${words}`);
}

function figureHtml(on: Drawing, figure: Figure): string {
  const { id, title, says, chart, table } = figure;
  return [
    `<figure id="${id}">`,
    `<figcaption><strong>${escapeHtml(title)}</strong><span>${escapeHtml(says)}</span></figcaption>`,
    pictureHtml(drawChart(on, chart, WIDE), figure, id, 'wide'),
    pictureHtml(drawChart(on, chart, NARROW), figure, id, 'narrow'),
    `<details><summary>Show the data<span class="hidden">: ${escapeHtml(title)}</span></summary>`,
    tableHtml(title, table),
    '</details></figure>',
  ].join('\n');
}

export function blockHtml(on: Drawing, block: Block): string {
  switch (block.kind) {
    case 'text':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'note':
      return `<p class="note">${escapeHtml(block.text)}</p>`;
    case 'list':
      return `<ul>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`;
    case 'table':
      return tableHtml(block.caption, block.table);
    case 'figure':
      return figureHtml(on, block.figure);
  }
}

/** What a policy calls a text that may stand in the page. */
export const policyDigest = (text: string) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
