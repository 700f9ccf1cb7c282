export { type Figure, figures } from './bench/figures.js';
export { type Counted, lessonOf } from './bench/lesson.js';
export type { RunBenchOptions } from './bench/options.js';
export { type BenchPlan, type PlannedKernel, type PlannedSize, planBench } from './bench/plan-bench.js';
export { runBench } from './bench/run-bench.js';
export { parseSize, parseSizes, type Size, sizeText } from './bench/sizes.js';
export { builtInSuites, type Suites, suiteNamed } from './bench/suites.js';
export { type Shell, shellCompletion } from './cli/completion/shell-completion.js';
export { comparePairs, compareResults } from './compare/compare-results.js';
export { type Judgement, type JudgeOptions, judge, judgeLevels } from './compare/judge.js';
export { type Level, levelOf, type RoundFigure } from './compare/level.js';
export type { ComparedFile, FilePair } from './compare/match.js';
export type { CompareOptions } from './compare/options.js';
export { type ReadPairs, readPairs, readRevisions } from './compare/read-pairs.js';
export type { ComparedRow, ComparisonResult, Verdict } from './compare/schema.js';
export { type BenchConfig, defineConfig, type FfmaConfig, type SizeSpec } from './config/define-config.js';
export { findConfig, type LoadedConfig, loadConfig } from './config/load-config.js';
export type { BenchFields } from './config/settings.js';
export { type BenchDeviceOptions, type DeviceKind, openBenchDevice } from './device/open-bench-device.js';
export { discoverKernels } from './discover/discover-kernels.js';
export * from './discover/kernel-package.js';
export { type ListedKernel, listKernels } from './discover/list-kernels.js';
export { baseOf, type SelectedKernel, selectKernels } from './discover/select.js';
export { type LeftOut, usableOn } from './discover/usable.js';
export type { Canary } from './doctor/canary.js';
export type { DeviceReport } from './doctor/device-report.js';
export { type DoctorPackage, type DoctorReport, doctor } from './doctor/doctor.js';
export { type CheckedExperiment, type CheckedRow, checkExperimentRows } from './experiment/check.js';
export { findExperiment } from './experiment/find.js';
export { recordOf } from './experiment/record.js';
export {
  kernelsOf,
  type ResolvedExperiment,
  type ResolvedRow,
  resolveExperiment,
  sameKernel,
} from './experiment/resolve.js';
export { type ExperimentResult, isExperimentResult, measuredSizes } from './experiment/row-figures.js';
export { type RunExperimentOptions, runExperiment } from './experiment/run-experiment.js';
export { diffKernel, type KernelDiff } from './inspect/diff.js';
export { type InspectOptions, inspectKernel, readEntry, readPtx } from './inspect/inspect-kernel.js';
export * from './inspect/inspection.js';
export { type InspectedSass, inspectSass } from './inspect/sass.js';
export { mergeResults } from './merge/merge.js';
export { MergeError, type Named } from './merge/merge-error.js';
export { type BesideFigure, type BesideRow, besideCounters } from './profile/beside-counters.js';
export { type PlannedProfile, planProfile } from './profile/dry-run.js';
export {
  ProfilerBlockedError,
  ProfilerFailedError,
  ProfilerOutputError,
  ProfilerPermissionError,
} from './profile/errors.js';
export { type LaunchReport, launchKernel } from './profile/launch.js';
export { type ProfileMetric, profileMetrics } from './profile/metrics.js';
export type { ProfileOptions } from './profile/options.js';
export { profile } from './profile/profile.js';
export * from './profile/schema.js';
export { renderBench, renderBenchMarkdown } from './render/bench.js';
export { renderBenchPlan } from './render/bench-plan.js';
export { renderBesideCounters } from './render/beside-counters.js';
export { renderComparison, renderComparisonMarkdown } from './render/compare.js';
export { renderExperiment } from './render/experiment.js';
export { renderExperimentTable } from './render/experiment-table.js';
export { renderProfile, renderProfileMarkdown } from './render/profile.js';
export { renderProfileDetails } from './render/profile-details.js';
export { renderRoofline, renderRooflineMarkdown } from './render/roofline.js';
export { renderSpeedTable } from './render/speed-table.js';
export { plain, type Style } from './render/style.js';
export { renderReportCsv } from './report/csv.js';
export { csvColumns } from './report/csv-rows.js';
export { renderExperimentMarkdown } from './report/experiment-markdown.js';
export { type ChartsOptions, type PictureFormat, writeCharts } from './report/export/charts.js';
export { renderReportHtml } from './report/html/page.js';
export { type ReportInput, type ReportInputs, readReportInputs } from './report/inputs.js';
export { type MarkdownOptions, renderReportMarkdown } from './report/markdown.js';
export {
  type Block as ReportBlock,
  type Figure as ReportFigure,
  figuresOf as reportFigures,
  type Missing as ReportMissing,
  type Report,
  type Section as ReportSection,
  type Warning as ReportWarning,
} from './report/model.js';
export { reportOf } from './report/report.js';
export type { ExperimentRecord } from './result/experiment-schema.js';
export { ResultFileError } from './result/file-error.js';
export type { AnyResult, ResultKindName, ResultOf } from './result/kinds.js';
export { writeAtomically } from './result/output.js';
export { ofKind, parseAnyResult, readAnyResult } from './result/read.js';
export * from './result/schema.js';
export { parseResult, readResult, stringifyResult } from './result/store.js';
export type { RowTimes, Session } from './result/times-schema.js';
export { type CeilingWork, ceilingWork } from './roofline/ceiling-runs.js';
export { type Ceilings, measureCeilings } from './roofline/measure-ceilings.js';
export { type RooflineOptions, roofline, rooflineUnder } from './roofline/roofline.js';
export * from './roofline/schema.js';
export * from './sass/index.js';
export type { OnStep, Step } from './step.js';
export * from './sweep/index.js';
export { CONFIDENCE, type Interval, medianInterval } from './timing/bootstrap.js';
export { type Measurement, type MeasureOptions, measure, type Round } from './timing/measure.js';
export { mad, type Noise, noiseOf, outliersOf, relativeMad } from './timing/noise.js';
export { type Peak, peakOf, tflopsOf } from './timing/peak.js';
export type { Protocol } from './timing/protocol.js';
export * from './timing/statistics.js';
export { type Comparison, type EndedBy, relativeWidth } from './timing/stopping.js';
export type { Contestant } from './timing/stopwatch.js';
export { type ClockSample, isTiming, type SamplesClocks, type TimingDevice } from './timing/timing-device.js';
export type { TourOptions, TourResult } from './tour/options.js';
export { runTour } from './tour/run-tour.js';
export { UsageError } from './usage-error.js';
export { runSchedules, type ScheduledOptions } from './verify/run-schedules.js';
export { nothingFailed, type RunVerifyOptions, runVerify, type VerifiedKernel } from './verify/run-verify.js';
export { correctnessOf, gatesOf } from './verify/summary.js';
export { verifyJson } from './verify/verify-json.js';
