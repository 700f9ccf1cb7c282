import { changeSentence, defineExperiment } from '@ffma/core';
import { cublas } from './parts/article.js';
import { publishedOf, studied, warptiling } from './parts/study-rows.js';

const [v9, v10, v11] = [warptiling(9), warptiling(10), warptiling(11)];
const tagged = `${v11.name}_tagged`;

export const studyV10Symbol = defineExperiment({
  name: 'study-v10-symbol',
  question: 'Is warptiling-v9 faster under a symbol that contains the word “cutlass”?',
  source: studied('the rows v9 and v10 of “Scalar Endgame”'),
  sizes: [4096],
  rows: [
    ...[v9, v10].map((row) => ({ name: row.name, kernel: row.kernel, published: publishedOf(row) })),
    cublas,
  ],
  pairs: [{ of: v10.name, to: v9.name, about: 'the symbol alone' }],
  conclude: (measured) => changeSentence(measured, v10.name, v9.name, 'the tagged symbol, on warptiling-v9'),
});

export const studyV11Symbol = defineExperiment({
  name: 'study-v11-symbol',
  question: 'Does that symbol help warptiling-v11, too, whose tiles are handed out in groups?',
  source: studied('the caveat under “Scalar Endgame”'),
  sizes: [4096],
  rows: [
    { name: v11.name, kernel: v11.kernel, published: publishedOf(v11) },
    { name: tagged, kernel: `${v11.kernel}/${tagged.slice('warptiling_v11_'.length)}` },
    cublas,
  ],
  pairs: [{ of: tagged, to: v11.name, about: 'the symbol alone', published: 'not faster' }],
  conclude: (measured) => changeSentence(measured, tagged, v11.name, 'the tagged symbol, on warptiling-v11'),
});
