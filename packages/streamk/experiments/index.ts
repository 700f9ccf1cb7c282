import type { Experiment } from '@ffma/core';
import { confirm } from './confirm.js';
import { k14Large } from './k14-large.js';
import { k14Switches } from './k14-switches.js';
import { ladder } from './ladder.js';

/** Questions about Stream-K that times answer, and those about the whole ladder, whose last step is here. */
export const experiments: readonly Experiment[] = [k14Switches, k14Large, ladder, confirm];
