import type { Experiment } from '@ffma/core';
import { k07Search } from './k07-search.js';
import { k08Stages } from './k08-stages.js';
import { k09TwoByTwo } from './k09-two-by-two.js';
import { k10Remap } from './k10-remap.js';
import { k12FfmaOrder } from './k12-ffma-order.js';
import { k12Spread } from './k12-spread.js';
import { k12Tagged } from './k12-tagged.js';
import { k13Tests } from './k13-tests.js';
import { study } from './study.js';
import { studyV10Symbol, studyV11Symbol } from './study-symbols.js';
import { swizzleTimes } from './swizzle-times.js';

/** Questions about the kernels of this package that times answer, in the order of the ladder. */
export const experiments: readonly Experiment[] = [
  k07Search,
  k08Stages,
  k09TwoByTwo,
  swizzleTimes,
  k10Remap,
  k12FfmaOrder,
  k12Spread,
  k12Tagged,
  k13Tests,
  study,
  studyV10Symbol,
  studyV11Symbol,
];
