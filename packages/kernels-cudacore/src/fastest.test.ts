import { gemmProblem } from '@ffma/core';
import { expect, test } from 'vitest';
import { fastestIsMeasured } from '../../../scripts/lib/measured-winners.js';
import { fastest, fastestFor } from './fastest.js';
import { kernels } from './index.js';

fastestIsMeasured({ package: '@ffma/kernels-cudacore', kernels, fastest, fastestFor });

test('every product is taken, also where rows start anywhere', () => {
  const shapes = [
    { m: 1, n: 1, k: 1 },
    { m: 1000, n: 1000, k: 1000 },
    { m: 1024, n: 1024, k: 1024, lda: 1025 },
    { m: 192, n: 64, k: 16 },
    { m: 0, n: 5, k: 7 },
  ];
  for (const shape of shapes) expect(fastestFor(shape).refusal(gemmProblem(shape))).toBeUndefined();
  expect(shapes.map((shape) => fastestFor(shape).kernel)).toEqual(['k05', 'k05', 'k05', 'k06', 'k05']);
});
