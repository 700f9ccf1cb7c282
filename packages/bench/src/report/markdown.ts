import { escapeMarkdown, safeMarkdownTable } from '../render/markdown.js';
import type { Block, Figure, Report, Section } from './model.js';

/** What is left out, and where pictures are. */
export interface MarkdownOptions {
  /** Address of a chart's picture; without it charts are left out, and their figures shown as a table. */
  readonly picture?: (figure: Figure) => string;
}

function figureLines(figure: Figure, { picture }: MarkdownOptions): string[] {
  const { title, says, table, detail } = figure;
  if (picture === undefined) {
    return detail
      ? []
      : ['', `**${escapeMarkdown(title)}.** ${escapeMarkdown(says)}`, '', ...safeMarkdownTable(table)];
  }
  const data = [
    '',
    '<details><summary>Show the data</summary>',
    '',
    ...safeMarkdownTable(table),
    '',
    '</details>',
  ];
  return [
    '',
    `![${escapeMarkdown(title)}](${encodeURI(picture(figure))})`,
    '',
    escapeMarkdown(says),
    ...data,
  ];
}

function blockLines(block: Block, options: MarkdownOptions): string[] {
  switch (block.kind) {
    case 'text':
    case 'note':
      return ['', escapeMarkdown(block.text)];
    case 'list':
      return ['', ...block.items.map((item) => `- ${escapeMarkdown(item)}`)];
    case 'table':
      return ['', ...safeMarkdownTable(block.table)];
    case 'figure':
      return figureLines(block.figure, options);
  }
}

function sectionLines(section: Section, level: number, options: MarkdownOptions): string[] {
  return [
    '',
    `${'#'.repeat(level)} ${escapeMarkdown(section.title)}`,
    ...section.blocks.flatMap((block) => blockLines(block, options)),
    ...(section.parts ?? []).flatMap((part) => sectionLines(part, level + 1, options)),
  ];
}

/** A report as GitHub Markdown, for a README or a comment: tables, and charts where there are pictures of them. */
export function renderReportMarkdown(report: Report, options: MarkdownOptions = {}): string[] {
  const { summary, warnings, sections } = report;
  return [
    escapeMarkdown(summary),
    ...(warnings.length === 0 ? [] : ['']),
    ...warnings.map(({ file, text }) => `> **${escapeMarkdown(file)}**: ${escapeMarkdown(text)}  `),
    ...sections.flatMap((section) => sectionLines(section, 2, options)),
  ];
}
