import { bestSentence, defineExperiment, type ExperimentRow } from '@ffma/core';
import { article, cublas, h100, LADDER } from './parts/article.js';
import { generic, specialised } from './parts/finalists.js';
import { besidePublished } from './parts/say.js';

const rows: readonly ExperimentRow[] = [
  {
    name: 'k14',
    about: 'Stream-K, one variant',
    kernel: 'k14',
    published: [...h100.fixed('us', { 1024: 61.3 }), ...h100.fixed('%', { 1024: 105.3 })],
  },
  {
    name: 'generic',
    about: 'best of those for any size',
    kernel: generic,
    specialised: false,
    published: h100.best('%', { 2048: 93.9, 4096: 95.2 }, 'k11'),
  },
  {
    name: 'specialised',
    about: 'best of those made for one size',
    kernel: specialised,
    specialised: true,
    published: [
      ...h100.best('us', { 2048: 357.9, 4096: 2761.2 }, 'k13f'),
      ...h100.best('%', { 2048: 95.4, 4096: 96.4 }, 'k13f'),
    ],
  },
];

export const confirm = defineExperiment({
  name: 'confirm',
  question: 'How fast are the best kernels against cuBLAS, in 15 alternating rounds?',
  source: article('“The confirmed result”'),
  sizes: [512, 1024, 1536, 2048, 3072, 4096, 8192],
  packages: [LADDER],
  rounds: 15,
  rows: [...rows, { ...cublas, published: h100.fixed('us', { 1024: 64.6, 2048: 341.3, 4096: 2661.1 }) }],
  pairs: [{ of: 'specialised', to: 'generic', about: 'another kernel' }],
  conclude: (measured) => [
    ...rows.flatMap(({ name, about = name }) => bestSentence(measured, name, `${name} (${about})`)),
    ...rows.flatMap((row) => besidePublished(measured, row)),
  ],
});
