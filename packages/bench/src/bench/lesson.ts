import type { RowCounters } from '../result/schema.js';
import { spokenFigures } from './figures.js';

/** A row with what it counted, as a sentence speaks of it. */
export interface Counted {
  /** How it is called: `k02`. */
  readonly name: string;
  readonly values: RowCounters['values'];
}

interface Change {
  readonly text: string;
  /** own ÷ base or base ÷ own, whichever is above 1. */
  readonly factor: number;
}

function changes(own: Counted, base: Counted): Change[] {
  return spokenFigures.flatMap(({ name, format, says }) => {
    const [x, y] = [own.values[name], base.values[name]];
    if (x === null || x === undefined || y === null || y === undefined || !(x > 0 && y > 0)) return [];
    const text = `${says.verb} ${format(x)} ${says.of} where ${base.name} ${says.verb} ${format(y)}`;
    return [{ text, factor: Math.max(x / y, y / x) }];
  });
}

/** Figures that say most about a kernel that has nothing to stand beside. */
const alone = ['global.store.sectorsPerRequest', 'flop.perGlobalByte'];

/**
 * What the counters say, as one sentence: the figures that differ most from those of the base, at most two.
 * Made from the numbers alone, so it holds for any kernel.
 */
export function lessonOf(own: Counted, base: Counted | undefined): string {
  if (base === undefined) {
    const parts = spokenFigures
      .filter(({ name }) => alone.includes(name) && typeof own.values[name] === 'number')
      .map(({ name, format, says }) => `${says.verb} ${format(own.values[name])} ${says.of}`);
    return parts.length === 0 ? `${own.name} counted nothing.` : `${own.name} ${parts.join(' and ')}.`;
  }
  const [first, second] = changes(own, base).sort((x, y) => y.factor - x.factor);
  if (first === undefined) return `${own.name} and ${base.name} have no counter in common.`;
  if (first.factor < 1.02) return `${own.name} counts what ${base.name} counts, within 2 %.`;
  const also = second !== undefined && second.factor >= 1.1 ? `, and ${second.text}` : '';
  return `${own.name} ${first.text}${also}.`;
}
