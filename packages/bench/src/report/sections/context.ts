import type { ReportInput } from '../inputs.js';

/** What a section is made in. */
export interface SectionContext {
  /** Name of the file, without its folder. */
  readonly file: string;
  /** Makes ids that no other part of the report has. */
  readonly newId: (text: string) => string;
  /** Everything that the report is made from, for what takes two files. */
  readonly inputs: readonly ReportInput[];
}
