import { type Experiment, sizeLabel } from '@ffma/core';
import type { DiscoveredExperiment } from '../discover/kernel-package.js';
import { type CheckedExperiment, checkedLines } from '../experiment/check.js';
import { count } from './numbers.js';
import type { Style } from './style.js';
import { renderTable } from './table.js';
import { hang } from './text.js';

const columns = [
  { title: 'experiment' },
  { title: 'question', wrapTo: 24 },
  { title: 'sizes', wrapTo: 12 },
  { title: 'rows', align: 'right' },
] as const;

/** Experiments under a heading for each package; `ffma` is how it is called. */
export function renderExperiments(
  experiments: readonly DiscoveredExperiment[],
  style: Style,
  width: number,
  ffma: string,
): string[] {
  if (experiments.length === 0) return ['No kernel package here declares an experiment.'];
  const lines: string[] = [];
  for (const owner of [...new Set(experiments.map((one) => one.package))]) {
    const own = experiments.filter((one) => one.package === owner);
    const rows = own.map(({ experiment: { name, question, sizes, rows: all } }) => ({
      cells: [name, question, sizes.map(sizeLabel).join(', '), String(all.length)],
    }));
    lines.push(`${style.cyan(owner.name)} ${owner.version} · ${count(own.length, 'experiment')}`);
    lines.push(...renderTable({ columns, rows }, width, style), '');
  }
  return [...lines, `${ffma} experiment run NAME measures one on a GPU; --check needs none.`];
}

/** What would be measured, row by row, and what is wrong. */
export function renderChecked(
  { name, question }: Experiment,
  { rows, notes, passed }: CheckedExperiment,
  style: Style,
  width: number,
): string[] {
  const lines = hang(`${style.bold(name)}  `, question, width);
  for (const { text, bad } of checkedLines(rows)) {
    lines.push(...hang(`${bad ? style.red('✗') : style.green('✓')} `, text, width));
  }
  lines.push(...notes.flatMap((note) => hang(`${style.yellow('note')}  `, note, width)));
  const kernels = new Set(rows.flatMap(({ ids }) => ids)).size;
  const bad = rows.filter(({ problems }) => problems.length > 0).length;
  const verdict = passed
    ? `All is there: ${count(rows.length, 'row')} of ${count(kernels, 'kernel')}.`
    : `It cannot be run as it is${bad === 0 ? '' : `: ${count(bad, 'row')} of ${rows.length} cannot be measured`}.`;
  return [...lines, ...hang('', verdict, width)];
}
