import type { Table } from '../render/table.js';
import type { Chart } from './charts/chart.js';
import type { CsvRow } from './csv-rows.js';

/** A chart with the words for those who do not see it, and its figures as a table. */
export interface Figure {
  /** Unique in a report, the same whenever it is made: an anchor, and the name of an exported file. */
  readonly id: string;
  readonly title: string;
  /** What can be seen in it, as sentences. */
  readonly says: string;
  readonly chart: Chart;
  /** The first column names the row. */
  readonly table: Table;
  /** What it was measured on, and when, for a picture that stands alone. */
  readonly source?: string;
  /** Its figures are too many for a page that shows tables only. */
  readonly detail?: true;
}

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  /** Said by the way. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly caption: string; readonly table: Table }
  | { readonly kind: 'figure'; readonly figure: Figure };

export interface Section {
  /** Unique in a report. */
  readonly id: string;
  readonly title: string;
  readonly blocks: readonly Block[];
  readonly parts?: readonly Section[];
}

/** What a reader must know before any figure. */
export interface Warning {
  readonly file: string;
  readonly text: string;
}

/** What the inputs do not hold, and how it is made. */
export interface Missing {
  readonly what: string;
  readonly command: string;
}

/** All that a report says, before it is laid out: made once from result files, and the same for the same files. */
export interface Report {
  readonly title: string;
  /** What it was made from, in a sentence. */
  readonly summary: string;
  readonly warnings: readonly Warning[];
  readonly sections: readonly Section[];
  readonly missing: readonly Missing[];
  /** What made the figures, one part a file. */
  readonly provenance: Section;
  /** A row a kernel and size. */
  readonly rows: readonly CsvRow[];
}

/** Every section, each before its parts. */
export function allSections(sections: readonly Section[]): Section[] {
  return sections.flatMap((section) => [section, ...allSections(section.parts ?? [])]);
}

export function figuresOf({ sections }: Pick<Report, 'sections'>): Figure[] {
  return allSections(sections).flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'figure' ? [block.figure] : [])),
  );
}
