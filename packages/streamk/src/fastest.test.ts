import { expect, test } from 'vitest';
import { fastestIsMeasured } from '../../../scripts/lib/measured-winners.js';
import { fastest, fastestFor } from './fastest.js';
import { kernels } from './index.js';

fastestIsMeasured({ package: '@ffma/streamk', kernels, fastest, fastestFor });

test('a product that no tile divides is refused, with the reason', () => {
  expect(() => fastestFor({ m: 100, n: 128, k: 64 })).toThrow(
    /No kernel here takes 100×128×64; k14_64x128x8_s2, for one: m must be a multiple of 64/,
  );
});
