export {
  type ArrowsChart,
  type ChartChange,
  chartKinds,
  type ExperimentChart,
  type OpcodesChart,
  rowsOfChart,
  type SchedulersChart,
  type StallsChart,
  type StepsChart,
  type TwoByTwoChart,
} from './charts.js';
export { checkExperiment } from './check-experiment.js';
export {
  defineExperiment,
  type Experiment,
  type ExperimentPair,
  type ExperimentRow,
  type ExperimentSize,
  type PublishedFigure,
} from './experiment.js';
export { fakeMeasuredSize, MeasuredSize, type RowFigures } from './measured-size.js';
export { type FigureMaker, figuresOn } from './published.js';
export { bestSentence, changeSentence, rankSentence } from './sentences.js';
export { rowsAt, sameSize, sizeLabel, toSizes } from './sizes.js';
export { asChange, asMicroseconds, asPercent } from './words.js';
