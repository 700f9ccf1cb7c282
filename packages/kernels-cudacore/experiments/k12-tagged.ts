import { changeSentence, defineExperiment } from '@ffma/core';
import { cublas, squares } from './parts/article.js';

const pairs = {
  '128×64×16': '128x64x16_nospread',
  '128×256×8': '128x256x8_s2_nospread',
  '128×64×16 for one size': 'f_128x64x16',
} as const;

type Row = keyof typeof pairs;
const kernelOf = (row: Row) => `${row.endsWith('size') ? 'k13' : 'k12'}/${pairs[row]}`;
const names = Object.keys(pairs) as Row[];

export const k12Tagged = defineExperiment({
  name: 'k12-tagged',
  question: 'Does a kernel get faster when its symbol contains the word “cutlass”?',
  source: {
    title: 'an earlier study of SGEMM kernels, on other kernels and another GPU',
    table: 'version 10 of warp tiling, version 9 under another symbol,',
  },
  sizes: squares,
  rows: [
    ...names.flatMap((row) => [
      { name: row, kernel: kernelOf(row) },
      { name: `${row}, tagged`, kernel: `${kernelOf(row)}_tagged` },
    ]),
    cublas,
  ],
  pairs: names.map((row) => ({ of: `${row}, tagged`, to: row, about: 'the symbol alone' })),
  conclude: (measured) =>
    names.flatMap((row) => changeSentence(measured, `${row}, tagged`, row, `the tagged symbol, at ${row}`)),
});
