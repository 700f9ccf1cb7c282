import type { ExperimentRecord } from '../../result/experiment-schema.js';

/** A chart that an experiment asked for, as its result file keeps it. */
export type DeclaredChart = NonNullable<ExperimentRecord['charts']>[number];
