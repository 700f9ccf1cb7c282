import { bestSentence, changeSentence, defineExperiment } from '@ffma/core';
import { article, cublas, h100, squares } from './parts/article.js';

const tested = { '256×128, 16×8': 'k10/256x128x16_16x8_noremap', '128×64, 8×8': 'k10/128x64x16_8x8_noremap' };

export const k10Remap = defineExperiment({
  name: 'k10-remap',
  question: 'What do a larger patch and columns of B dealt out without bank conflicts bring?',
  source: article('“Kernel 10: bigger patches”'),
  sizes: squares,
  rows: [
    { name: '256×128, 16×8', kernel: 'k10' },
    { name: '256×128, 16×8, contiguous', kernel: tested['256×128, 16×8'] },
    { name: '256×128, 8×16', kernel: 'k10/256x128x16_8x16' },
    { name: '128×256, 8×16', kernel: 'k10/128x256x16_8x16' },
    { name: '128×64, 8×8', kernel: 'k10/128x64x16_8x8' },
    { name: '128×64, 8×8, contiguous', kernel: tested['128×64, 8×8'] },
    { name: 'best of k10', kernel: 'k10/*', published: h100.best('%', { 1024: 92, 2048: 88, 4096: 90 }) },
    cublas,
  ],
  pairs: [
    ...Object.keys(tested).map((row) => ({
      of: row,
      to: `${row}, contiguous`,
      about: 'columns of B dealt out',
    })),
    { of: '256×128, 8×16', to: '256×128, 16×8', about: 'the wide patch' },
    { of: '256×128, 16×8', to: '128×64, 8×8', about: 'a larger patch and tile' },
  ],
  conclude: (measured) => [
    ...Object.keys(tested).flatMap((row) =>
      changeSentence(measured, row, `${row}, contiguous`, `dealing out the columns of B, at ${row}`),
    ),
    ...changeSentence(measured, '256×128, 8×16', '256×128, 16×8', 'a patch of 8×16 instead of 16×8'),
    ...changeSentence(measured, '256×128, 16×8', '128×64, 8×8', 'the large patch instead of the small one'),
    ...bestSentence(measured, 'best of k10', 'the best of k10'),
  ],
});
