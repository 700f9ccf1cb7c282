import { gemmProblem } from '@ffma/core';
import { MatrixImage } from '../data/matrix-image.js';
import type { ProblemData } from '../data/problem-data.js';

/** Some rows of a matrix, without the bands around it. @param words the whole buffer */
export function pickRows({ layout }: MatrixImage, words: Uint32Array, rows: readonly number[]): MatrixImage {
  const { name, cols, ld, start } = layout;
  const length = rows.length === 0 ? 0 : (rows.length - 1) * ld + cols;
  const picked = new MatrixImage({ name, rows: rows.length, cols, ld, start: 0, length });
  for (const [i, row] of rows.entries()) {
    const first = start + row * ld;
    picked.words.set(words.subarray(first, first + cols), i * ld);
  }
  return picked;
}

/** The problem of some rows of C alone: those rows of A and C, and all of B, whose memory is shared. */
export function rowProblem(data: ProblemData, rows: readonly number[]): ProblemData {
  const { problem, kind, a, b, c } = data;
  return {
    problem: gemmProblem({ ...problem, m: rows.length }),
    kind,
    a: pickRows(a, a.words, rows),
    b,
    c: pickRows(c, c.words, rows),
  };
}
