import { expect, test } from 'vitest';
import { compareResults } from '../compare/compare-results.js';
import { timedBench } from '../test-support/timed-bench.js';
import { csvField, renderReportCsv } from './csv.js';
import { csvColumns, csvRows } from './csv-rows.js';

test('fields are quoted as RFC 4180 says', () => {
  expect(['k01', 'a,b', 'say "x"', 'two\nlines', 'cr\rlf', ''].map(csvField)).toEqual([
    'k01',
    '"a,b"',
    '"say ""x"""',
    '"two\nlines"',
    '"cr\rlf"',
    '',
  ]);
  expect([61.3, 1e-7, 19.119999999999997, Number.NaN, undefined].map(csvField)).toEqual([
    '61.3',
    '1e-7',
    '19.12',
    '',
    '',
  ]);
});

test('text that a spreadsheet would compute is text; a negative number is a number', () => {
  expect(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\r=1'].map(csvField)).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\tx",
    '"\'\r=1"',
  ]);
  expect(csvField('=cmd|"/c calc",1')).toBe('"\'=cmd|""/c calc"",1"');
  expect(csvField(-1)).toBe('-1');
});

test('the header is what programs rely on', () => {
  expect(csvColumns.slice(0, 32).join()).toBe(
    'file,created_at,experiment,experiment_rows,device,driver,package,kernel,id,specialised,m,n,k,batch,alpha,beta,' +
      'status,unranked,median_us,min_us,max_us,tflops,reference,percent_of_reference,percent_min,percent_max,' +
      'rounds_faster,rounds,ran_as,math_mode,sha256,instructions_total',
  );
  expect(new Set(csvColumns).size).toBe(csvColumns.length);
});

test('there is a row a kernel and size, each with as many fields as the header', async () => {
  const { result } = await timedBench();
  const rows = csvRows([{ file: '=1.json', result }]);
  const [header, ...lines] = renderReportCsv({ rows }).split('\r\n');
  expect(lines.pop()).toBe('');
  expect(lines).toHaveLength(result.rows.length);
  for (const line of lines) expect(line.split(',')).toHaveLength(csvColumns.length);
  const at = (name: string) => header?.split(',').indexOf(name) as number;
  const fields = lines.find((line) => line.includes('k02'))?.split(',') ?? [];
  expect(fields[at('file')]).toBe("'=1.json");
  expect([fields[at('median_us')], fields[at('percent_of_reference')], fields[at('rounds_faster')]]).toEqual([
    '50',
    '120',
    '3',
  ]);
  expect(fields[at('package')]).toMatch(/^npm:.+@.+$/);
});

test('a row of a comparison has its verdict, and the change in percent', async () => {
  const { result } = await timedBench({ options: { protocol: { rounds: 5 } } });
  const slower = await timedBench({
    device: { times: { lib: () => 60, k01: () => 132, k02: () => 50 } },
    options: { protocol: { rounds: 5 } },
  });
  const comparison = compareResults(result, slower.result);
  const [header, ...lines] = renderReportCsv({ rows: csvRows([{ file: 'c.json', result: comparison }]) })
    .split('\r\n')
    .map((line) => line.split(','));
  const of = (kernel: string, column: string) =>
    lines.find((line) => line[header?.indexOf('kernel') ?? -1] === kernel)?.[header?.indexOf(column) ?? -1];
  expect(
    ['verdict', 'compared_by', 'change_percent', 'median_us'].map((column) => of('k01', column)),
  ).toEqual(['slower', 'ratio', '10', '132']);
  expect([of('k02', 'verdict'), of('lib', 'compared_by'), of('k01', 'status')]).toEqual(['same', 'time', '']);
});
