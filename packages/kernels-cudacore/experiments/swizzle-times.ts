import { changeSentence, defineExperiment } from '@ffma/core';
import { article, cublas, h100, REPLAY } from './parts/article.js';

const replay = (ms: number) => h100.fixed('us', { 4096: ms * 1000 }, REPLAY);

const tiles = ['128×128', '128×64, A transposed'];

export const swizzleTimes = defineExperiment({
  name: 'swizzle-times',
  question: 'Does handing out tiles in groups of eight rows save time, now that it saves traffic?',
  source: article('the times under “A plausible optimization that didn’t improve runtime”'),
  sizes: [4096],
  rows: [
    { name: '128×128, by rows', kernel: 'k09s/128x128x16_rows', published: replay(3.058) },
    { name: '128×128, grouped', kernel: 'k09s/128x128x16_group8', published: replay(3.475) },
    { name: '128×64, A transposed, by rows', kernel: 'k09s/128x64x16_rows', published: replay(3.464) },
    { name: '128×64, A transposed, grouped', kernel: 'k09s', published: replay(3.34) },
    { ...cublas, published: replay(2.647) },
  ],
  pairs: tiles.map((tile) => ({ of: `${tile}, grouped`, to: `${tile}, by rows`, about: 'GROUP_M 8, not 1' })),
  charts: [
    {
      kind: 'arrows',
      ends: ['by rows', 'grouped'],
      arrows: tiles.map((tile) => ({ about: tile, from: `${tile}, by rows`, to: `${tile}, grouped` })),
    },
  ],
  conclude: (measured) =>
    tiles.flatMap((tile) =>
      changeSentence(measured, `${tile}, grouped`, `${tile}, by rows`, `grouping tiles of ${tile}`),
    ),
});
