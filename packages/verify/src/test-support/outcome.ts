import { reducedProblem } from '@ffma/core';
import type { MatrixImage } from '../data/matrix-image.js';
import type { ProblemData } from '../data/problem-data.js';
import type { Outcome } from '../gates/judge.js';
import { FakeDevice } from './fake-device.js';
import type { JsRun } from './js-gemm.js';

/** What a JavaScript kernel leaves in copies of a problem's buffers. */
export function outcomeOf(data: ProblemData, compute: (run: JsRun) => void): Outcome {
  const copy = (image: MatrixImage) => ({ words: image.words.slice(), start: image.layout.start });
  const copies = { a: copy(data.a), b: copy(data.b), c: copy(data.c) };
  const operand = ({ words, start }: ReturnType<typeof copy>) => ({
    memory: new Float32Array(words.buffer),
    start,
  });
  compute({
    problem: reducedProblem(data.problem),
    a: operand(copies.a),
    b: operand(copies.b),
    c: operand(copies.c),
    device: new FakeDevice(),
  });
  return { a: copies.a.words, b: copies.b.words, c: copies.c.words };
}
