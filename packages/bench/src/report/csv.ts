import { csvColumns } from './csv-rows.js';
import type { Report } from './model.js';

/** What a spreadsheet would take for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A field of RFC 4180. Text that begins like a formula is written after an apostrophe, which spreadsheets show as text. */
export function csvField(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(Number(value.toPrecision(10))) : '';
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The figures of a report for programs and spreadsheets, as RFC 4180 says: a header, then a row a kernel and size. */
export function renderReportCsv({ rows }: Pick<Report, 'rows'>): string {
  const lines = [
    csvColumns.map(csvField),
    ...rows.map((row) => csvColumns.map((name) => csvField(row[name]))),
  ];
  return lines.map((fields) => `${fields.join(',')}\r\n`).join('');
}
