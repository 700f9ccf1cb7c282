import { MatrixImage } from '../data/matrix-image.js';
import type { ProblemData } from '../data/problem-data.js';
import { Random } from '../data/random.js';
import type { GateResult } from '../gates/gate.js';
import { type JudgeOptions, judge, type Outcome } from '../gates/judge.js';
import { memoryGate } from '../gates/memory.js';
import { writtenGate } from '../gates/written.js';
import { type Combination, combinationOf } from './combination.js';
import { combinationGate } from './combination-gate.js';
import { pickRows, rowProblem } from './row-problem.js';
import { affordableRows, sampleRows } from './sample-rows.js';

export interface SampledJudgeOptions {
  /** Rows of C to judge one by one. Default: all where that is quick, else as many as are. */
  readonly rows?: number;
  /** Of the choice of rows and of the combination. Default 1. */
  readonly seed?: number;
}

/**
 * Judges results of one problem, of any size, many times: what it compares with is computed once. Some rows go
 * through every gate; what lies between them through those that need no reference, and through a random combination
 * of the columns, which no wrong element of an exact result passes.
 */
export class SampledJudge {
  readonly data: ProblemData;
  /** Rows of C that go through every gate, ascending. */
  readonly rows: readonly number[];
  readonly #some: ProblemData;
  readonly #combination: Combination | undefined;

  constructor(
    data: ProblemData,
    { rows = affordableRows(data.problem), seed = 1 }: SampledJudgeOptions = {},
  ) {
    const { m } = data.problem;
    this.data = data;
    this.rows = sampleRows(m, rows, new Random(seed));
    const all = this.rows.length === m;
    this.#some = all ? data : rowProblem(data, this.rows);
    this.#combination = all || data.kind === 'special' ? undefined : combinationOf(data, seed);
  }

  /** @throws ArgumentError if k is 2^24 or more, where no bound holds */
  judge(outcome: Outcome, options: Omit<JudgeOptions, 'rows'>): GateResult[] {
    const { data, rows } = this;
    if (this.#some === data) return judge(data, outcome, options);
    const { a, b } = this.#some;
    const picked = pickRows(new MatrixImage(data.c.layout, outcome.c), outcome.c, rows);
    const some = judge(this.#some, { a: a.words, b: b.words, c: picked.words }, { ...options, rows });
    const gates = some.filter(({ gate }) => gate !== 'written' && gate !== 'memory');
    if (this.#combination !== undefined) gates.push(combinationGate(data, this.#combination, outcome.c));
    if (data.problem.beta === 0) gates.push(writtenGate(data.c, outcome.c));
    const changes = [
      { before: data.a, after: outcome.a, written: false },
      { before: data.b, after: outcome.b, written: false },
      { before: data.c, after: outcome.c, written: true },
    ];
    return [...gates, memoryGate(changes)];
  }
}
