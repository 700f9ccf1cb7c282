import { type Drawing, drawing } from '../charts/drawing.js';
import type { Report, Section } from '../model.js';
import { blockHtml, policyDigest } from './blocks.js';
import { escapeHtml } from './escape.js';
import { pageStyle } from './style.js';

/** Nothing is loaded and nothing is run: one style may stand in the page, by its digest. */
const policy = [
  "default-src 'none'",
  `style-src ${policyDigest(pageStyle)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const heading = (level: number, id: string, title: string) =>
  `<h${level} id="${id}">${escapeHtml(title)}</h${level}>`;

function sectionHtml(on: Drawing, { id, title, blocks, parts = [] }: Section, level: number): string {
  return [
    `<section aria-labelledby="${id}">`,
    heading(level, id, title),
    ...blocks.map((block) => blockHtml(on, block)),
    ...parts.map((part) => sectionHtml(on, part, level + 1)),
    '</section>',
  ].join('\n');
}

const themeHtml = `<fieldset class="theme"><legend>Colours</legend>${(
  [
    ['system', 'as the system'],
    ['light', 'light'],
    ['dark', 'dark'],
  ] as const
)
  .map(
    ([value, label], i) =>
      `<label><input type="radio" name="theme" id="theme-${value}" value="${value}"${i === 0 ? ' checked' : ''}> ${label}</label>`,
  )
  .join('')}</fieldset>`;

function warningsHtml({ warnings }: Report): string {
  if (warnings.length === 0) return '';
  const items = warnings.map(
    ({ file, text }) => `<li><strong>${escapeHtml(file)}</strong>: ${escapeHtml(text)}</li>`,
  );
  return `<section class="warnings" aria-labelledby="warnings"><h2 id="warnings">Before you read on</h2><ul>${items.join('')}</ul></section>`;
}

function missingHtml({ missing }: Report): string {
  if (missing.length === 0) return '';
  const items = missing.map(
    ({ what, command }) => `<li>${escapeHtml(what)}: <code>${escapeHtml(command)}</code></li>`,
  );
  return `<section aria-labelledby="missing"><h2 id="missing">Not in this report</h2><p>These results were not among the files; the commands make them.</p><ul>${items.join('')}</ul></section>`;
}

function contentsHtml({ sections, missing, provenance }: Report): string {
  const links = [
    ...sections,
    ...(missing.length === 0 ? [] : [{ id: 'missing', title: 'Not in this report' }]),
    provenance,
  ].map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`);
  return `<nav aria-label="Contents"><ul>${links.join('')}</ul></nav>`;
}

/** A report as one HTML page that needs no network and runs no script. The same report gives the same bytes. */
export async function renderReportHtml(report: Report): Promise<string> {
  const on = await drawing();
  const title = escapeHtml(report.title);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${pageStyle}</style>`,
    '</head>',
    '<body>',
    '<a class="skip" href="#main">Skip to the results</a>',
    `<header><h1>${title}</h1><p>${escapeHtml(report.summary)}</p>${themeHtml}</header>`,
    contentsHtml(report),
    '<main id="main" tabindex="-1">',
    warningsHtml(report),
    ...report.sections.map((section) => sectionHtml(on, section, 2)),
    missingHtml(report),
    sectionHtml(on, report.provenance, 2),
    '</main>',
    '<footer>Made by ffma report. Without a script and without a network; the figures are in the tables under the charts.</footer>',
    '</body>',
    '</html>',
    '',
  ]
    .filter((line, i, all) => line !== '' || i === all.length - 1)
    .join('\n');
}
