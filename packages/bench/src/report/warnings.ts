import { nameOf, sizeOf } from '../render/rows.js';
import type { AnyResult } from '../result/kinds.js';
import type { BenchResult } from '../result/schema.js';
import type { ReportInput } from './inputs.js';
import type { Warning } from './model.js';

function ofBench({ rows, sessions = [] }: BenchResult): string[] {
  const texts: string[] = [];
  for (const row of rows) {
    const where = `${nameOf(row, rows)} at ${sizeOf(row)}`;
    const { status, failures, ran } = row.correctness;
    if (status === 'failed')
      texts.push(`${where} ${ran === false ? 'could not run' : 'is wrong'}: ${failures.join(' ')}`);
    if (row.asked && status === 'refused') texts.push(`${where} was refused: ${failures.join(' ')}`);
    if (row.unranked !== undefined) texts.push(`${where} is not ranked: ${row.unranked}`);
  }
  for (const { interrupted, problem } of sessions)
    if (interrupted)
      texts.push(`The session at ${sizeOf({ problem } as never)} ended before all of its rounds.`);
  return texts;
}

/** What a reader must know of a result before its figures. */
function warningsOf(result: AnyResult): string[] {
  const cut = 'interrupted' in result && result.interrupted === true;
  return [
    ...(cut ? ['It was interrupted: not all that was asked for was measured.'] : []),
    ...(result.kind === 'bench' ? ofBench(result) : []),
    ...(result.kind === 'comparison' ? result.failures : []),
    ...(result.kind === 'profile'
      ? result.rows
          .filter(({ status }) => status === 'failed')
          .map((row) => `${row.id} could not be profiled: ${row.reason ?? 'no reason was given'}`)
      : []),
  ];
}

export const reportWarnings = (inputs: readonly ReportInput[]): Warning[] =>
  inputs.flatMap(({ file, result }) => warningsOf(result).map((text) => ({ file, text })));
