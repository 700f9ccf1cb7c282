import type { ExperimentResult } from '../../experiment/row-figures.js';
import { experimentSizes } from '../../render/experiment.js';
import { heading } from '../../render/rows.js';
import { bySizeFigures } from '../figures/by-size.js';
import { declaredFigures } from '../figures/declared.js';
import { type LineUp, lineUpOf } from '../figures/line-up.js';
import { roundsFigure } from '../figures/rounds.js';
import type { Block, Section } from '../model.js';
import { unrankedItems } from './bench.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

function sizeParts(
  result: ExperimentResult,
  lineUp: LineUp,
  { newId }: SectionContext,
  of: string,
): Section[] {
  return experimentSizes(result).map(({ size, title, how, rows, pairs, notes, results }): Section => {
    const id = newId(`${of} ${title}`);
    const figure = roundsFigure(id, lineUp, size);
    return {
      id,
      title,
      blocks: [
        ...table(`Rows at ${title}, beside what was published`, rows),
        ...table(`Pairs at ${title}`, pairs),
        ...(how === undefined ? [] : [{ kind: 'note' as const, text: `${how}.` }]),
        ...list([...notes, ...unrankedItems(results)]),
        ...(figure === undefined ? [] : [{ kind: 'figure' as const, figure }]),
      ],
    };
  });
}

/** What ffma experiment measured: its answer, the charts that it asks for, then each size beside what was published. */
export function experimentSection(result: ExperimentResult, context: SectionContext): Section {
  const { name, question, source, conclusions, notes } = result.experiment;
  const id = context.newId(name);
  const lineUp = lineUpOf(result);
  const { figures, missing } = declaredFigures(id, result, context.inputs);
  const drawn = [...figures, ...bySizeFigures(id, result, lineUp)];
  return {
    id,
    title: `${name}: ${question}`,
    blocks: [
      ...list([...conclusions, ...notes]),
      { kind: 'note', text: `Repeats ${source.table} in ${source.title}. ${heading(result)}.` },
      ...drawn.map((figure): Block => ({ kind: 'figure', figure })),
      ...list(missing),
    ],
    parts: sizeParts(result, lineUp, context, id),
  };
}
