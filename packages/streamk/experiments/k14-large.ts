import { bestSentence, changeSentence, defineExperiment } from '@ffma/core';
import { article, cublas, h100, LADDER } from './parts/article.js';

export const k14Large = defineExperiment({
  name: 'k14-large',
  question: 'Does Stream-K also win where there are many more tiles than blocks?',
  source: article('the larger sizes under “Kernel 14 and Stream-K”'),
  sizes: [2048, 4096],
  packages: [LADDER],
  rows: [
    { name: '128×128×8', kernel: 'k14' },
    { name: '128×128×16', kernel: 'k14/128x128x16_s3' },
    { name: '128×128×8, 8×16', kernel: 'k14/128x128x8_8x16_s2' },
    { name: '128×256×8', kernel: 'k14/128x256x8_s3' },
    { name: '64×128×8', kernel: 'k14/64x128x8_s2' },
    {
      name: 'best of k14',
      kernel: 'k14/*',
      specialised: false,
      published: h100.best('%', { 2048: 92, 4096: 94 }, 'its variants 89 to 94 %'),
    },
    {
      name: 'best without Stream-K',
      kernel: ['k11/*', 'k12/*', 'k13/*'],
      specialised: false,
      published: h100.best('%', { 2048: 96, 4096: 95 }, 'k12'),
    },
    { name: 'best for one size', kernel: 'k13/*', specialised: true },
    cublas,
  ],
  pairs: [
    { of: 'best of k14', to: 'best without Stream-K', about: 'Stream-K' },
    { of: 'best of k14', to: 'best for one size', about: 'Stream-K, not sizes compiled in' },
  ],
  conclude: (measured) => [
    ...bestSentence(measured, 'best of k14', 'the best of k14'),
    ...changeSentence(
      measured,
      'best of k14',
      'best without Stream-K',
      'Stream-K against the best without it',
    ),
    ...changeSentence(
      measured,
      'best of k14',
      'best for one size',
      'Stream-K against the best with sizes compiled in',
    ),
  ],
});
