import { bestSentence, defineExperiment, rankSentence } from '@ffma/core';
import { k07 } from '../kernels/course/k07-searched/kernel.js';
import { article, cublas, h100, squares } from './parts/article.js';

/** Name of the default among the candidates, which are called after block tile, warp tile and patch. */
const { BM, BN, BK, WM, WN, TM, TN } = k07.params;
const usual = `${BM}x${BN}x${BK}_${WM}x${WN}_${TM}x${TN}`;

// Those that are declared: what a sweep writes beside them later is no part of this question.
const candidates = ['default', ...Object.keys(k07.definition.variants ?? {})].map((variant) => ({
  name: variant === 'default' ? usual : variant,
  kernel: `k07/${variant}`,
}));

export const k07Search = defineExperiment({
  name: 'k07-search',
  question: 'Which block tile, warp tile, chunk of k and patch of k07 is the fastest?',
  source: article('the search under “Kernel 7: tune the geometry”'),
  sizes: squares,
  ranked: true,
  rows: [
    cublas,
    {
      name: 'best of k07',
      kernel: 'k07/*',
      published: h100.best('%', { 1024: 65 }, 'by the authors of the course, settings not recorded'),
    },
    ...candidates,
  ],
  conclude: (measured) => [
    ...bestSentence(measured, 'best of k07', `the best of the ${candidates.length} candidates`),
    ...rankSentence(
      measured,
      candidates.map(({ name }) => name),
      'fastest',
    ),
  ],
});
