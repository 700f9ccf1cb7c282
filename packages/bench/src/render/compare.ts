import type { ComparedRow, ComparisonPair, ComparisonResult, Verdict } from '../compare/schema.js';
import { countsText, judgedRows, labels, remarksOf, ruleText, tableOf } from './compare-rows.js';
import { escapeMarkdown, safeMarkdownTable } from './markdown.js';
import { shape } from './numbers.js';
import type { Style } from './style.js';
import { type Row, renderTable } from './table.js';
import { hang } from './text.js';

function fileText({ device, createdAt, tool, git, experiment, from }: ComparisonPair['base']): string {
  const driver = device.driver === undefined ? '' : `, driver ${device.driver}`;
  const of = experiment === undefined ? '' : `experiment ${experiment}, `;
  const commit =
    git === undefined ? '' : `, commit ${git.revision.slice(0, 10)}${git.dirty ? ' and changes' : ''}`;
  const made = `${createdAt.slice(0, 10)}, @ffma/bench ${tool['@ffma/bench']}${commit}`;
  return `${from} (${of}${device.name}${driver}, ${made})`;
}

const paints = (style: Style): Readonly<Record<Verdict, (text: string) => string>> => ({
  failed: style.red,
  slower: style.red,
  unclear: style.yellow,
  incomparable: style.yellow,
  faster: style.green,
  same: style.dim,
});

/** Why rows have no better verdict; the reason of many rows is said once, and that of failures as such. */
function reasonsText(comparison: ComparisonResult): string[] {
  const name = labels(comparison);
  const rows = judgedRows(comparison).filter(
    ({ verdict, reason }) => verdict !== 'failed' && reason !== undefined,
  );
  const key = (row: ComparedRow) => `${row.verdict} ${row.reason}`;
  return [...new Set(rows.map(key))].map((one) => {
    const alike = rows.filter((row) => key(row) === one);
    const named = alike.slice(0, 3).map((row) => `${name(row)} at ${shape(row.problem)}`);
    const more = alike.length > named.length ? ` and ${alike.length - named.length} more` : '';
    return `${named.join(', ')}${more} ${alike[0]?.verdict}: ${alike[0]?.reason}`;
  });
}

/** A comparison for a terminal: what is compared, the verdicts, every row, and what else there is to say. */
export function renderComparison(comparison: ComparisonResult, style: Style, width: number): string[] {
  const paint = paints(style);
  const rows = judgedRows(comparison);
  const table = tableOf(comparison, rows);
  const painted = table.rows.map(
    ({ cells }, i): Row => ({ cells, paint: paint[(rows[i] as ComparedRow).verdict] }),
  );
  const files = comparison.pairs.flatMap((pair) => [
    ...hang('base  ', fileText(pair.base), width),
    ...hang('new   ', fileText(pair.new), width),
  ]);
  return [
    ...files,
    ...hang('', ruleText(comparison), width).map(style.dim),
    '',
    style.bold(countsText(comparison)),
    ...(rows.length === 0 ? [] : renderTable({ ...table, rows: painted }, width, style)),
    ...[...reasonsText(comparison), ...remarksOf(comparison)].flatMap((text) =>
      hang(`${style.cyan('→')} `, text, width),
    ),
    ...comparison.failures.flatMap((text) => hang(`${style.red('✗')} `, text, width)),
  ];
}

/** Folded away, so that a comment on a pull request stays short. */
const details = (summary: string, lines: readonly string[]) =>
  lines.length === 0
    ? []
    : ['', '<details>', `<summary>${summary}</summary>`, '', ...lines, '', '</details>'];

/** As many are listed; the table has them all. */
const MOST_FAILURES = 3;

function failuresMarkdown({ failures }: ComparisonResult): string[] {
  if (failures.length === 0) return [];
  const more = failures.length - MOST_FAILURES;
  const listed = failures.slice(0, MOST_FAILURES).map((text) => `- ❌ ${escapeMarkdown(text)}`);
  return ['', ...listed, ...(more > 0 ? [`- ❌ and ${more} more`] : [])];
}

/** The same as GitHub Markdown, for a comment: counts first, then what changed; the rest is folded away. */
export function renderComparisonMarkdown(comparison: ComparisonResult): string[] {
  const rows = judgedRows(comparison);
  const same = rows.filter(({ verdict }) => verdict === 'same');
  const changed = rows.filter(({ verdict }) => verdict !== 'same');
  const says = [...reasonsText(comparison), ...remarksOf(comparison)].map(escapeMarkdown);
  const files = comparison.pairs.flatMap((pair) => [
    `- base: ${escapeMarkdown(fileText(pair.base))}`,
    `- new: ${escapeMarkdown(fileText(pair.new))}`,
  ]);
  return [
    `### ffma compare: ${countsText(comparison)}`,
    ...failuresMarkdown(comparison),
    ...(changed.length === 0 ? [] : ['', ...safeMarkdownTable(tableOf(comparison, changed))]),
    ...(says.length === 0 ? [] : ['', ...says.map((text) => `- ${text}`)]),
    ...details(
      `${same.length} the same`,
      same.length === 0 ? [] : safeMarkdownTable(tableOf(comparison, same)),
    ),
    ...details('What was compared', [...files, '', ruleText(comparison)]),
  ];
}
