import { changeSentence, defineExperiment } from '@ffma/core';
import { article, cublas, h100, squares } from './parts/article.js';

const tiles = ['256×128', '128×64'];

export const k12Spread = defineExperiment({
  name: 'k12-spread',
  question: 'Does spreading the copies of a chunk over its steps save more than its branches cost?',
  source: article('the copies under “Kernels 12 and 13: refine the schedule without adding overhead”'),
  sizes: squares,
  rows: [
    { name: '256×128, spread', kernel: 'k12' },
    { name: '256×128, at once', kernel: 'k12/256x128x16_nospread' },
    { name: '128×64, spread', kernel: 'k12/128x64x16' },
    { name: '128×64, at once', kernel: 'k12/128x64x16_nospread' },
    {
      name: 'best of k12',
      kernel: 'k12/*',
      published: [
        ...h100.best('us', { 1024: 64.9, 2048: 355.6, 4096: 2779.4 }),
        ...h100.best('%', { 1024: 100, 2048: 96, 4096: 95 }),
      ],
    },
    {
      name: 'best of k11',
      kernel: 'k11/*',
      published: [...h100.best('us', { 4096: 2772.9 }), ...h100.best('%', { 1024: 98, 2048: 94, 4096: 95 })],
    },
    { ...cublas, published: h100.fixed('us', { 1024: 64.8, 2048: 340.9 }) },
  ],
  pairs: [
    ...tiles.map((tile) => ({
      of: `${tile}, spread`,
      to: `${tile}, at once`,
      about: 'copies spread',
    })),
    { of: 'best of k12', to: 'best of k11', about: 'spread, order, symbol' },
  ],
  charts: [{ kind: 'opcodes', rows: ['256×128, at once', '256×128, spread', cublas.name] }],
  conclude: (measured) => [
    ...tiles.flatMap((tile) =>
      changeSentence(measured, `${tile}, spread`, `${tile}, at once`, `spreading the copies, at ${tile}`),
    ),
    ...changeSentence(measured, 'best of k12', 'best of k11', 'the best of k12 against the best of k11'),
  ],
});
