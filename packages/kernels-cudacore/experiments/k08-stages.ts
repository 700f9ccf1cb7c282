import { bestSentence, changeSentence, defineExperiment, rankSentence } from '@ffma/core';
import { article, cublas, h100, squares } from './parts/article.js';

const stages = [1, 2, 3, 4, 5];
const tiles = { '128×64×8': '128x64x8', '128×128×16': '128x128x16' };

const rowName = (tile: string, count: number) => `${tile}, ${count} ${count === 1 ? 'stage' : 'stages'}`;
// Three stages of 128×64×8 are the default.
const kernel = (tile: string, count: number) =>
  tile === '128x64x8' && count === 3 ? 'k08' : `k08/${tile}_s${count}`;

export const k08Stages = defineExperiment({
  name: 'k08-stages',
  question: 'How many stages does the ring of asynchronous copies need?',
  source: article('the stage counts under “Kernel 8: asynchronous copies”'),
  sizes: squares,
  rows: [
    ...Object.entries(tiles).flatMap(([tile, variant]) =>
      stages.map((count) => ({ name: rowName(tile, count), kernel: kernel(variant, count) })),
    ),
    { name: 'best of k08', kernel: 'k08/*', published: h100.best('%', { 1024: 89, 2048: 81, 4096: 81 }) },
    cublas,
  ],
  pairs: Object.keys(tiles).map((tile) => ({
    of: rowName(tile, 3),
    to: rowName(tile, 1),
    about: 'three stages, not one',
  })),
  charts: [{ kind: 'stalls', rows: [rowName('128×64×8', 1), rowName('128×64×8', 3), cublas.name] }],
  conclude: (measured) => [
    ...Object.keys(tiles).flatMap((tile) => [
      ...changeSentence(
        measured,
        rowName(tile, 3),
        rowName(tile, 1),
        `three stages instead of one, at ${tile}`,
      ),
      ...rankSentence(
        measured,
        stages.map((count) => rowName(tile, count)),
        'fastest',
      ),
    ]),
    ...bestSentence(measured, 'best of k08', 'the best of k08'),
  ],
});
