import type { VerifyReport } from '@ffma/verify';
import type { RowCorrectness } from '../result/schema.js';

/** Gates that decided something in a report, in the order met. */
export function gatesOf(report: VerifyReport): string[] {
  const gates = report.cases.flatMap((one) =>
    one.gates.filter((gate) => gate.decides).map((gate) => gate.gate),
  );
  return [...new Set(gates)];
}

/** A verification in brief, as result rows keep it. */
export function correctnessOf(report: VerifyReport): RowCorrectness {
  const { passed, failed, refused } = report.counts;
  const unhappy = report.cases
    .filter(({ status }) => status !== 'passed')
    .map((one) => `${one.name}: ${one.sentence}`);
  const ended = report.ended === undefined ? [] : [report.sentence];
  return {
    status: report.outcome === 'incomplete' ? 'failed' : report.outcome,
    cases: { passed, failed, refused },
    gates: gatesOf(report),
    failures: [...unhappy, ...ended],
  };
}
