import { duration } from '../render/numbers.js';
import { columnsOf } from '../render/style.js';
import { clip } from '../render/text.js';
import type { Step } from '../step.js';
import type { Output } from './io.js';

export interface Progress extends Disposable {
  /** Shows a step in place of the one before. */
  show(step: Step): void;
  /** Removes the line, so that something else can be printed. */
  clear(): void;
}

const CLEAR = '\r\u001b[2K';
const REDRAW_MS = 80;

/** One line on a terminal, with the time left once that can be told; nothing at all elsewhere. */
export function progressOn(output: Output, now: () => number = performance.now.bind(performance)): Progress {
  if (output.isTTY !== true) return { show: () => {}, clear: () => {}, [Symbol.dispose]: () => {} };
  const start = now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  const clear = () => {
    if (drawnAt !== Number.NEGATIVE_INFINITY) output.write(CLEAR);
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  return {
    show({ done, total, label, leftMs }) {
      const time = now();
      if (time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      const spent = time - start;
      const known = leftMs ?? (done > 0 ? (spent / done) * (total - done) : undefined);
      const left = known !== undefined && spent > 1000 ? `, ${duration(known)} left` : '';
      output.write(CLEAR + clip(`${done}/${total}${left}  ${label}`, columnsOf(output) - 1));
    },
    clear,
    [Symbol.dispose]: clear,
  };
}
