import type { VerifyReport } from '@ffma/verify';

/** What one kernel did under one schedule. */
export interface ScheduledReport {
  /** The schedule in a word, as `--schedule` takes it. */
  readonly schedule: string;
  readonly report: VerifyReport;
}

/** From bad to good: of several schedules the worst counts. */
const outcomes = ['failed', 'incomplete', 'refused', 'passed'] as const;

/**
 * One report of a kernel that was verified under several schedules: every case once a schedule, named by it.
 * @param reports at least one, all of the same kernel
 */
export function mergeReports(reports: readonly ScheduledReport[]): VerifyReport {
  const [first] = reports;
  if (first === undefined) throw new RangeError('Nothing was verified under no schedule.');
  const sum = (of: keyof VerifyReport['counts']) =>
    reports.reduce((total, { report }) => total + report.counts[of], 0);
  const counts = {
    asked: sum('asked'),
    passed: sum('passed'),
    failed: sum('failed'),
    refused: sum('refused'),
  };
  // What one schedule refuses, all do: it says nothing against a kernel that passes elsewhere.
  const outcome = outcomes.find((one) => reports.some(({ report }) => report.outcome === one)) ?? 'failed';
  const ended = reports.find(({ report }) => report.ended !== undefined);
  const { artefact } = first.report;
  return {
    gemm: first.report.gemm,
    device: first.report.device,
    ...(artefact === undefined ? {} : { artefact }),
    cases: reports.flatMap(({ schedule, report }) =>
      report.cases.map((one) => ({ ...one, name: `${one.name}, schedule ${schedule}` })),
    ),
    counts,
    outcome,
    ...(ended?.report.ended === undefined ? {} : { ended: ended.report.ended }),
    sentence: sentenceOf(reports, outcome, counts, ended),
  };
}

function sentenceOf(
  reports: readonly ScheduledReport[],
  outcome: VerifyReport['outcome'],
  { asked, passed, failed }: VerifyReport['counts'],
  ended: ScheduledReport | undefined,
): string {
  if (ended !== undefined) return `${ended.report.sentence} That was under the schedule ${ended.schedule}.`;
  const bad = reports.filter(({ report }) => report.counts.failed > 0).map(({ schedule }) => schedule);
  const where = bad.length === 0 ? '' : `; it fails under ${bad.join(', ')}`;
  const id = reports[0]?.report.gemm.id;
  return `${id} ${outcome}: of ${asked} cases under ${reports.length} schedules ${passed} passed, ${failed} failed${where}.`;
}
