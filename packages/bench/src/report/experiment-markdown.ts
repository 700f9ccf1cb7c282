import type { ExperimentResult } from '../experiment/row-figures.js';
import { renderReportMarkdown } from './markdown.js';
import { reportOf } from './report.js';

/** An experiment as GitHub Markdown, as `ffma report` lays out a file that holds it alone. */
export function renderExperimentMarkdown(result: ExperimentResult): string[] {
  const file = `${result.experiment.name}.json`;
  return renderReportMarkdown(reportOf({ inputs: [{ file, result }], leftOut: [] }));
}
