import { bestSentence, defineExperiment, rankSentence } from '@ffma/core';
import { article, cublas, h100, squares } from './parts/article.js';

// The order of the default patch is the one that its name leaves out.
const patches = {
  '8×8': {
    rows: 'k12/128x64x16_nospread_rows',
    columns: 'k12/128x64x16_nospread_columns',
    'snake rows': 'k12/128x64x16_nospread_snake_rows',
    'snake columns': 'k12/128x64x16_nospread',
  },
  '8×16': {
    rows: 'k12/128x256x16_rows',
    columns: 'k12/128x256x16_columns',
    'snake rows': 'k12/128x256x16_snake_rows',
    'snake columns': 'k12/128x256x16_snake_columns',
  },
};

const rowsOf = (patch: keyof typeof patches) =>
  Object.entries(patches[patch]).map(([order, kernel]) => ({ name: `${patch} by ${order}`, kernel }));

export const k12FfmaOrder = defineExperiment({
  name: 'k12-ffma-order',
  question: 'Does the order in which a patch is multiplied change how fast it is?',
  source: article('the alternate FFMA order under “Kernels 12 and 13”'),
  sizes: squares,
  rows: [
    ...rowsOf('8×8'),
    ...rowsOf('8×16'),
    {
      name: 'best of k12',
      kernel: 'k12/*',
      published: [
        ...h100.best('us', { 1024: 64.9 }, 'with the alternate order'),
        ...h100.best('us', { 2048: 355.6, 4096: 2779.4 }),
      ],
    },
    { ...cublas, published: h100.fixed('us', { 1024: 64.8, 2048: 340.9 }) },
  ],
  pairs: (['8×8', '8×16'] as const).flatMap((patch) =>
    Object.keys(patches[patch])
      .filter((order) => order !== 'rows')
      .map((order) => ({ of: `${patch} by ${order}`, to: `${patch} by rows`, about: order })),
  ),
  conclude: (measured) => [
    ...(['8×8', '8×16'] as const).flatMap((patch) =>
      rankSentence(
        measured,
        rowsOf(patch).map(({ name }) => name),
        'the fastest order',
      ),
    ),
    ...bestSentence(measured, 'best of k12', 'the best of k12'),
  ],
});
