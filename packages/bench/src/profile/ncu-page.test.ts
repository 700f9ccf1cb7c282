import { expect, test } from 'vitest';
import { parseCsv } from './csv.js';
import { parseRawPage } from './ncu-page.js';
import { unitFactor } from './units.js';

const titles =
  '"ID","Process ID","Kernel Name","Block Size","Grid Size","dram__bytes_read.sum","lts__t_sector_hit_rate.pct"';
const units = '"","","","","","Kbyte","%"';
const template = 'void cutlass::Kernel<sgemm<float, 128, ""x"">>(Params)';

/** A page with one launch of these two figures. */
const page = (bytes: string, rate = '91.25', name = template) =>
  `==PROF== Connected to process 7\n${titles}\n${units}\n"0","7","${name}","(256, 1, 1)","(16, 8, 1)","${bytes}","${rate}"\n`;

test('messages are passed over, names with commas and quotes are kept, units are scaled', () => {
  const [launch, ...more] = parseRawPage(`hello from the program\n${page('1,234,567.5')}==WARNING== late\n`);
  expect(more).toEqual([]);
  expect(launch).toMatchObject({
    kernel: 'void cutlass::Kernel<sgemm<float, 128, "x">>(Params)',
    block: [256, 1, 1],
    grid: [16, 8, 1],
  });
  expect([...(launch?.figures ?? [])]).toEqual([
    ['dram__bytes_read.sum', 1_234_567_500],
    ['lts__t_sector_hit_rate.pct', 91.25],
  ]);
});

test('what ncu does not have is not there, rather than 0', () => {
  for (const nothing of ['n/a', '', 'nan', 'no data', '-nan'])
    expect(parseRawPage(page(nothing))[0]?.figures.has('dram__bytes_read.sum'), nothing).toBe(false);
});

/** A page whose one metric is the opcodes. */
const opcodePage = (cell: string) =>
  page(cell).replace('dram__bytes_read.sum', 'sass__inst_executed_per_opcode').replace('Kbyte', 'inst');

test('opcodes are parts with names; parts of other figures are passed over', () => {
  const [named] = parseRawPage(opcodePage('12 (FFMA: 8; LDS: 4)'));
  expect(named?.figures.get('sass__inst_executed_per_opcode')).toBe(12);
  expect([...(named?.opcodes ?? [])]).toEqual([
    ['FFMA', 8],
    ['LDS', 4],
  ]);
  const [others] = parseRawPage(page('12 (0x10: 8; 0x10: 4; odd)'));
  expect(others?.figures.get('dram__bytes_read.sum')).toBe(12_000);
  expect(others?.opcodes).toBeUndefined();
});

test('a page that is not as it should be is not guessed at', () => {
  const refuse = (text: string, why: RegExp) => expect(() => parseRawPage(text)).toThrow(why);
  refuse('==PROF== Connected\n', /no table that begins with "ID"/);
  refuse(page('many'), /dram__bytes_read.sum of launch 0 is 'many', which is no number/);
  refuse(page('1.234,5'), /is no number/);
  refuse(opcodePage('12 (FFMA: x)'), /has the part 'FFMA: x'/);
  refuse(opcodePage('12 (FFMA: 1; FFMA: 2)'), /has the part 'FFMA: 2'/);
  refuse(opcodePage('12 (8; 4)'), /has the part '8'/);
  refuse(`${page('1')}"1","7","k"\n`, /a row has 3 cells under 7 titles/);
  refuse(`${titles}\n"0","7","k","","","1","2"\n`, /second row are not the units/);
  refuse('"ID","Name"\n"",""\n', /no column "Kernel Name"/);
  refuse(page('1', '2', 'a" b'), /a quote in the middle of a cell/);
});

test('CSV: quotes, empty cells, line breaks of both kinds', () => {
  expect(parseCsv('a,"b,\n""c""",\r\n,,\n"x"')).toEqual([['a', 'b,\n"c"', ''], ['', '', ''], ['x']]);
  expect(parseCsv('')).toEqual([]);
});

test('units are scaled by their decimal prefixes; a count stays', () => {
  expect(['byte', 'Kbyte', 'Mbyte', 'Gbyte'].map(unitFactor)).toEqual([1, 1e3, 1e6, 1e9]);
  expect(['ns', 'us', 'msecond', 's'].map(unitFactor)).toEqual([1, 1e3, 1e6, 1e9]);
  expect(['Gbyte/s', 'byte/ns', 'Ghz'].map(unitFactor)).toEqual([1e9, 1e9, 1e9]);
  expect(['', '%', 'inst', 'register/thread', 'sector', 'inst/cycle'].map(unitFactor)).toEqual([
    1, 1, 1, 1, 1, 1,
  ]);
});
