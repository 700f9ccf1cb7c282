import { bestSentence, changeSentence, defineExperiment } from '@ffma/core';
import { article, cublas, h100, REPLAY, squares } from './parts/article.js';
import { togetherSentence } from './parts/say.js';

// Published times at 1024³ in µs: of the timing sweep with chunks of 16 along k, of the profile with chunks of 8.
const configurations = [
  { bk: 16, note: undefined, us: { neither: 73.9, transposed: 71.1, prefetch: 74.6, both: 67.6 } },
  { bk: 8, note: REPLAY, us: { neither: 78.4, transposed: 89.2, prefetch: 77.4, both: 71.5 } },
];

const changes = {
  transposed: 'transposing A alone',
  prefetch: 'prefetching alone',
  both: 'prefetching from a transposed A',
} as const;

/** The variant of a cell: the default is 128x64x16 with both. */
function kernel(bk: number, cell: string): string {
  if (bk === 16 && cell === 'both') return 'k09';
  return `k09/128x64x${bk}_${cell === 'transposed' ? 'transpose' : cell}`;
}

const rowName = (cell: string, bk: number) => `${cell}, BK ${bk}`;

export const k09TwoByTwo = defineExperiment({
  name: 'k09-two-by-two',
  question: 'Do a register prefetch and a transposed A help alone, or only together?',
  source: article('the two tables under “Kernel 9: the next operand bottleneck”'),
  sizes: squares,
  rows: [
    ...configurations.flatMap(({ bk, us, note }) =>
      Object.entries(us).map(([cell, value]) => ({
        name: rowName(cell, bk),
        kernel: kernel(bk, cell),
        published: h100.fixed('us', { 1024: value }, note),
      })),
    ),
    { name: 'best of k09', kernel: 'k09/*', published: h100.best('%', { 1024: 97, 2048: 83, 4096: 82 }) },
    {
      ...cublas,
      published: [...h100.fixed('us', { 1024: 65.3 }), ...h100.fixed('us', { 1024: 61.3 }, REPLAY)],
    },
  ],
  pairs: configurations.flatMap(({ bk }) =>
    Object.entries(changes).map(([cell, about]) => ({
      of: rowName(cell, bk),
      to: rowName('neither', bk),
      about,
    })),
  ),
  charts: [
    ...configurations.map(({ bk }) => ({
      kind: 'two-by-two' as const,
      about: `BK ${bk}`,
      changes: [
        { off: 'A row-major', on: 'A transposed' },
        { off: 'no prefetch', on: 'prefetch' },
      ] as const,
      rows: {
        neither: rowName('neither', bk),
        first: rowName('transposed', bk),
        second: rowName('prefetch', bk),
        both: rowName('both', bk),
      },
    })),
    { kind: 'stalls', rows: [rowName('neither', 8), rowName('both', 8), cublas.name] },
  ],
  conclude: (measured) => [
    ...configurations.flatMap(({ bk }) => [
      ...Object.entries(changes).flatMap(([cell, what]) =>
        changeSentence(measured, rowName(cell, bk), rowName('neither', bk), `${what}, at BK ${bk}`),
      ),
      ...togetherSentence(
        measured,
        {
          base: rowName('neither', bk),
          one: rowName('transposed', bk),
          other: rowName('prefetch', bk),
          both: rowName('both', bk),
        },
        `Together, at BK ${bk}`,
      ),
    ]),
    ...bestSentence(measured, 'best of k09', 'the best of k09'),
  ],
});
