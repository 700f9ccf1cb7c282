import { bestSentence, defineExperiment, type ExperimentRow, rankSentence } from '@ffma/core';
import { article, cublas, h100, LADDER } from './parts/article.js';
import { besidePublished, stepsWithoutGain } from './parts/say.js';

const best = (at1024: number, at2048: number, at4096: number) =>
  h100.best('%', { 1024: at1024, 2048: at2048, 4096: at4096 });

/** A step is the fastest of all variants of its kernel. */
const step = (name: string, about: string, more: Partial<ExperimentRow> = {}): ExperimentRow => ({
  name,
  about,
  kernel: `${name}/*`,
  ...more,
});

// What comes before warp tiles takes so long at larger sizes that it says nothing more there.
const small = { sizes: [1024] };

const steps = [
  step('k01', 'one output a thread', small),
  step('k02', 'coalesced', small),
  step('k03', 'tiles in shared memory', small),
  step('k04', 'a strip of outputs a thread', small),
  step('k05', 'a patch of outputs a thread', small),
  step('k06', 'warp tiles', small),
  step('k07', 'geometry searched', {
    published: h100.best('%', { 1024: 65 }, 'by the authors of the course, settings not recorded'),
  }),
  step('k08', 'asynchronous copies', { published: best(89, 81, 81) }),
  step('k09', 'register prefetch, A transposed', { published: best(97, 83, 82) }),
  step('k09s', 'tiles handed out in groups'),
  step('k10', 'patches of 128 outputs', { published: best(92, 88, 90) }),
  step('k11', 'addresses hoisted', { published: best(98, 94, 95) }),
  step('k12', 'copies spread, order of FFMAs', { published: best(100, 96, 95) }),
  step('k13', 'branch-free spread, sizes compiled in', { published: best(98, 96, 96) }),
  step('k14', 'Stream-K', { specialised: false, published: best(107, 92, 94) }),
];
const names = steps.map(({ name }) => name);

export const ladder = defineExperiment({
  name: 'ladder',
  question: 'How fast is the best of each step, against cuBLAS in the same run?',
  source: article('the chart of all steps'),
  sizes: [1024, 2048, 4096],
  packages: [LADDER],
  rows: [...steps, step('streamk-deterministic', 'Stream-K, added in a fixed order'), cublas],
  pairs: names.slice(1).map((of, i) => ({ of, to: names[i] as string, about: steps[i + 1]?.about ?? of })),
  charts: [{ kind: 'steps', rows: names, apart: ['k07'] }],
  conclude: (measured) => [
    ...rankSentence(measured, names, 'the fastest step'),
    ...stepsWithoutGain(measured, names),
    ...bestSentence(measured, 'k14', 'the best of k14'),
    ...steps.flatMap((row) => besidePublished(measured, row)),
  ],
});
