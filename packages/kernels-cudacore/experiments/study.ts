import { asChange, bestSentence, defineExperiment, type MeasuredSize, rankSentence } from '@ffma/core';
import { cublas } from './parts/article.js';
import { rankCorrelation } from './parts/rank-correlation.js';
import { elsewhere, publishedOf, type StudyRow, studied, studyRows } from './parts/study-rows.js';

const names = studyRows.map(({ name }) => name);
const steps = studyRows.filter((row): row is Required<StudyRow> => row.from !== undefined);
const published = new Map(studyRows.map(({ name, tflops }) => [name, tflops]));

const rounded = (value: number) => (Number.isNaN(value) ? 'no order' : value.toFixed(2));

/** How alike the orders are, of rows by speed and of steps by what they gain: here, and as published. */
function orderSentence(at: MeasuredSize): string {
  const speeds = rankCorrelation(
    studyRows.map(({ tflops }) => tflops),
    names.map((name) => 1 / at.us(name)),
  );
  const gains = rankCorrelation(
    steps.map(({ tflops, from }) => tflops / (published.get(from) as number)),
    steps.map(({ name, from }) => at.us(from) / at.us(name)),
  );
  return (
    `The order of the ${names.length} rows by speed is the study's with a rank correlation of ${rounded(speeds)}, ` +
    `that of the ${steps.length} steps by what they gain with ${rounded(gains)}, at ${at.label} (1: the same order).`
  );
}

/** Less than this, either way, is no step. */
const STEP = 0.01;

/** Which way a step goes: 1 faster, -1 slower, 0 neither. */
const way = (gain: number) => (Math.abs(gain) < STEP ? 0 : Math.sign(gain));

/** Steps that go the other way here than they did there. */
function otherWay(at: MeasuredSize): readonly string[] {
  const turned = steps.filter(({ name, from, tflops }) => {
    const there = tflops / (published.get(from) as number) - 1;
    return way(there) * way(-at.change(name, from)) < 0;
  });
  if (turned.length === 0) return [`No step goes the other way at ${at.label}.`];
  const which = turned.map(({ name, from }) => `${name} (${asChange(at.change(name, from))} than ${from})`);
  return [`The other way at ${at.label}: ${which.join(', ')}.`];
}

export const study = defineExperiment({
  name: 'study',
  question: 'Do the steps of the study bring here what they brought there?',
  source: studied('the snapshot table'),
  sizes: [4096],
  rounds: 5,
  rows: [
    ...studyRows.map((row) => ({ name: row.name, kernel: row.kernel, published: publishedOf(row) })),
    { ...cublas, published: elsewhere.fixed('TFLOP/s', { 4096: 23.87 }, 'torch_matmul') },
  ],
  pairs: steps.map(({ name, from, step }) => ({ of: name, to: from, about: step })),
  conclude: (measured) => [
    ...rankSentence(measured, names, "the fastest of the study's kernels"),
    ...measured.flatMap((at) => [orderSentence(at), ...otherWay(at)]),
    ...bestSentence(measured, 'warptiling_v7_vec4_128x128x8_32x64x8', "the study's own best"),
  ],
});
