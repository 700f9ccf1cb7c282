import { changeSentence, defineExperiment } from '@ffma/core';
import { article, cublas, h100 } from './parts/article.js';

// Each row differs from the first in what it is called after.
const switches = {
  'without whole tiles': 'k14/128x128x8_s3_nohybrid',
  'body inlined twice': 'k14/128x128x8_s3_twice',
  'copies spread': 'k14/128x128x8_s3_spread',
  'one block a multiprocessor': 'k14/128x128x8_s3_one_block',
  'untagged symbol': 'k14/128x128x8_s3_untagged',
  'sizes compiled in': 'k14/f_128x128x8_s3',
};
const names = Object.keys(switches);
const AS_IS = 'k14 as it is';

export const k14Switches = defineExperiment({
  name: 'k14-switches',
  question: 'Which of the choices of k14 make it fast?',
  source: article('the choices under “Kernel 14 and Stream-K”'),
  sizes: [1024, 2048, 4096],
  rows: [
    {
      name: AS_IS,
      kernel: 'k14',
      published: [...h100.fixed('us', { 1024: 61.3 }), ...h100.fixed('%', { 1024: 105.3 })],
    },
    ...Object.entries(switches).map(([name, kernel]) => ({ name, kernel })),
    { name: '8×16 patch', kernel: 'k14/128x128x8_8x16_s2' },
    { name: 'fixed order of addition', kernel: 'streamk-deterministic' },
    { name: 'fixed order, added apart', kernel: 'streamk-deterministic/128x128x8_s3_apart' },
    { ...cublas, published: h100.fixed('us', { 1024: 64.6 }) },
  ],
  pairs: [
    ...names.map((name) => ({ of: name, to: AS_IS, about: name })),
    { of: 'fixed order of addition', to: '8×16 patch', about: 'workspace, no atomics' },
    { of: 'fixed order, added apart', to: 'fixed order of addition', about: 'fix-up in its own launch' },
  ],
  charts: [{ kind: 'schedulers', rows: [AS_IS, 'one block a multiprocessor', cublas.name] }],
  conclude: (measured) => [
    ...names.flatMap((name) => changeSentence(measured, name, AS_IS, name)),
    ...changeSentence(measured, 'fixed order of addition', '8×16 patch', 'adding in a fixed order'),
    ...changeSentence(
      measured,
      'fixed order, added apart',
      'fixed order of addition',
      'adding in a launch of its own',
    ),
  ],
});
