import type { CaseResult, VerifyReport } from '@ffma/verify';
import type { RowCorrectness } from '../result/schema.js';

/** Gates that decided something in a report, in the order met. */
export function gatesOf(report: VerifyReport): string[] {
  const gates = report.cases.flatMap((one) =>
    one.gates.filter((gate) => gate.decides).map((gate) => gate.gate),
  );
  return [...new Set(gates)];
}

/** Failures of a kernel that was running. */
const ownFaults = ['FFMA_KERNEL_FAULT', 'FFMA_DEVICE_LOST'];

const isOwnFault = (error: object) => 'code' in error && ownFaults.includes(String(error.code));

const brokeBefore = ({ gates, error }: CaseResult) =>
  gates.length === 0 && error !== undefined && !isOwnFault(error);

/** Whether any case came to a result, or to a fault of the kernel. */
function ran({ cases, outcome, ended }: VerifyReport): boolean {
  if (outcome !== 'failed') return true;
  return (
    !cases.every(brokeBefore) || (cases.length === 0 && ended?.by !== 'load' && ended?.by !== 'declaration')
  );
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
    ...(ran(report) ? {} : { ran: false as const }),
  };
}
