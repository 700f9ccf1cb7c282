import { ArgumentError } from '@ffma/core';
import type { JudgeOptions } from './judge.js';

export type CompareBy = 'auto' | 'ratio' | 'time';

/** How rows are judged. */
export interface Rule extends JudgeOptions {
  readonly by: CompareBy;
}

export interface CompareOptions extends Partial<JudgeOptions> {
  /** What is compared: the ratio to a common reference where both files have one (default), that alone, or times. */
  readonly by?: CompareBy | undefined;
  /** A row fails that is clearly slower by more than this: 0.03 is 3 %. */
  readonly failOn?: number | undefined;
  /** A row fails of which it is not clear whether it changed. */
  readonly failOnUnclear?: boolean | undefined;
  /** A row fails that only the base has. */
  readonly failOnMissing?: boolean | undefined;
  /** When the comparison was made; default: now. */
  readonly createdAt?: Date | undefined;
}

export const THRESHOLD = 0.03;

/** Higher than that of one figure's interval: a comparison has dozens of rows, and each may raise a false alarm. */
export const CONFIDENCE = 0.99;

const within = (what: string, value: number, low: number, high: number): void => {
  if (!(value > low && value < high))
    throw new ArgumentError(`${what} must be over ${low} and under ${high}, but is ${value}.`);
};

/** @throws ArgumentError */
export function ruleOf(options: CompareOptions): Rule {
  const { threshold = THRESHOLD, confidence = CONFIDENCE, by = 'auto', failOn } = options;
  within('threshold', threshold, 0, 1);
  within('confidence', confidence, 0.5, 1);
  if (failOn !== undefined) within('failOn', failOn, 0, 1);
  return { threshold, confidence, by };
}
