import { bestSentence, changeSentence, defineExperiment } from '@ffma/core';
import { article, cublas, h100, squares } from './parts/article.js';

const tiles = { '256×128': '256x128x16', '128×64': '128x64x16' } as const;
type Tile = keyof typeof tiles;
const names = Object.keys(tiles) as Tile[];

const rowsOf = (tile: Tile) => {
  const kernel = `k13/${tiles[tile]}`;
  return [
    { name: `${tile}, at once`, kernel: `${kernel}_nospread` },
    { name: `${tile}, spread by branches`, kernel: `${kernel}_spread` },
    { name: `${tile}, spread branch-free`, kernel: tile === '256×128' ? 'k13' : kernel },
    { name: `${tile}, contiguous B`, kernel: `${kernel}_noremap` },
    { name: `${tile}, specialised`, kernel: `k13/f_${tiles[tile]}` },
  ];
};

/** The three tests, each against the same kernel without it. */
const testsOf = (tile: Tile) => [
  {
    of: `${tile}, spread branch-free`,
    to: `${tile}, at once`,
    about: 'copies spread branch-free',
    published: 'no time bought',
    what: `spreading copies without branches, at ${tile}`,
  },
  {
    of: `${tile}, spread branch-free`,
    to: `${tile}, spread by branches`,
    about: 'no branch',
    what: `leaving out the branches of spreading, at ${tile}`,
  },
  {
    of: `${tile}, contiguous B`,
    to: `${tile}, at once`,
    about: 'contiguous columns of B',
    published: 'slower, up to 10 % at 4096³',
    what: `giving a lane contiguous columns of B, at ${tile}`,
  },
  {
    of: `${tile}, specialised`,
    to: `${tile}, at once`,
    about: 'sizes compiled in',
    published: 'about one point at large sizes',
    what: `compiling the sizes in, at ${tile}`,
  },
];

export const k13Tests = defineExperiment({
  name: 'k13-tests',
  question: 'Do copies spread without branches, contiguous columns of B, or compiled sizes save time?',
  source: article('the three tests under “Kernels 12 and 13”'),
  sizes: squares,
  rows: [
    ...names.flatMap(rowsOf),
    { name: 'best of k13', kernel: 'k13/*', published: h100.best('%', { 1024: 98, 2048: 96, 4096: 96 }) },
    { name: 'best generic', kernel: 'k13/*', specialised: false },
    { name: 'best specialised', kernel: 'k13/*', specialised: true },
    cublas,
  ],
  pairs: [
    ...names.flatMap((tile) => testsOf(tile).map(({ what: _, ...pair }) => pair)),
    { of: 'best specialised', to: 'best generic', about: 'sizes compiled in' },
  ],
  conclude: (measured) => [
    ...names.flatMap((tile) =>
      testsOf(tile).flatMap(({ of, to, what }) => changeSentence(measured, of, to, what)),
    ),
    ...bestSentence(measured, 'best generic', 'the best of k13 for any size'),
    ...bestSentence(measured, 'best specialised', 'the best of k13 for one size'),
  ],
});
