import { type CaseResult, explainCase, type VerifyReport } from '@ffma/verify';
import type { VerifiedKernel } from '../verify/run-verify.js';
import { gatesOf } from '../verify/summary.js';
import { count } from './numbers.js';
import type { Style } from './style.js';
import { renderTable } from './table.js';
import { hang } from './text.js';

const columns = [
  { title: 'kernel' },
  { title: 'result' },
  { title: 'passed', align: 'right' },
  { title: 'failed', align: 'right' },
  { title: 'refused', align: 'right' },
  { title: 'gates', wrapTo: 20 },
] as const;

/** Failing cases to show of one kernel; a broken kernel fails them all in the same way. */
const MOST_CASES = 5;

function caseLines(result: CaseResult, style: Style, width: number): string[] {
  const [name = '', ...sentences] = explainCase(result).split('\n  ');
  return [
    ...hang(`  ${style.red('✗')} `, name, width),
    ...sentences.flatMap((sentence) => hang('    ', sentence, width)),
  ];
}

/** Whether it was never put before a case: what could not be loaded or asked is not wrong, and has failed nothing. */
function ranNothing({ ended, counts }: VerifyReport): boolean {
  return (ended?.by === 'load' || ended?.by === 'declaration') && counts.failed + counts.passed === 0;
}

function failureLines({ report }: VerifiedKernel, style: Style, width: number): string[] {
  const failed = report.cases.filter(({ status }) => status === 'failed' || status === 'aborted');
  if (report.outcome === 'passed') return [];
  const lines = ['', ...hang('', report.sentence, width)];
  lines.push(...failed.slice(0, MOST_CASES).flatMap((one) => caseLines(one, style, width)));
  if (failed.length > MOST_CASES)
    lines.push(`  and ${count(failed.length - MOST_CASES, 'more case')}; --json has all`);
  return lines;
}

/** One row a kernel; below, what failed, in detail. */
export function renderVerified(verified: readonly VerifiedKernel[], style: Style, width: number): string[] {
  const rows = verified.map(({ report }) => ({
    cells: [
      report.gemm.id,
      ranNothing(report) ? 'not run' : report.outcome,
      ...[report.counts.passed, report.counts.failed, report.counts.refused].map(String),
      gatesOf(report).join(', ') || '–',
    ],
    paint: { passed: String, refused: style.yellow, failed: style.red, incomplete: style.red }[
      report.outcome
    ],
  }));
  return [
    ...renderTable({ columns, rows }, width, style),
    ...verified.flatMap((one) => failureLines(one, style, width)),
  ];
}
