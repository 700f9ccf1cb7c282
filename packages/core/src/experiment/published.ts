import type { PublishedFigure } from './experiment.js';

/** Figures at square sizes, by their extent: `{ 1024: 61.3, 2048: 357.9 }`. */
type BySize = Readonly<Record<number, number>>;

/** Makes the published figures of a row. */
export type FigureMaker = (
  unit: PublishedFigure['unit'],
  values: BySize,
  note?: string,
) => readonly PublishedFigure[];

/**
 * Published figures of one GPU, in short: `fixed` of a configuration that was named in advance, `best` of several that
 * were tried.
 */
export function figuresOn(gpu: string): { readonly fixed: FigureMaker; readonly best: FigureMaker } {
  const of =
    (kind: PublishedFigure['kind']): FigureMaker =>
    (unit, values, note) =>
      Object.entries(values).map(([size, value]) => ({
        size: Number(size),
        value,
        unit,
        gpu,
        kind,
        ...(note === undefined ? {} : { note }),
      }));
  return { fixed: of('fixed configuration'), best: of("sweep's best") };
}
