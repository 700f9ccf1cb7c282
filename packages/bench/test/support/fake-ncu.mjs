#!/usr/bin/env node
// Stands for Nsight Compute: runs the program, or takes FAKE_NCU_REPORT for its report, then prints a raw page for the launches that were asked for. What goes
// wrong is told by FAKE_NCU; which metrics there are not, by FAKE_NCU_LACKS; what a library launches, by
// FAKE_NCU_LIBRARY.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const args = process.argv.slice(2);
const mode = process.env.FAKE_NCU ?? '';
const lacks = (process.env.FAKE_NCU_LACKS ?? '').split(',').filter((name) => name !== '');

if (args[0] === '--version') {
  console.log(
    'NVIDIA (R) Nsight Compute Command Line Profiler\nVersion 2025.3.0.0 (build 36273991) (public-release)',
  );
  process.exit(0);
}
if (args[0] === '--query-metrics') {
  // Lists nothing, unless it is to be asked: then all that the first commands ask for.
  if (mode === 'lists')
    console.log('Device NVIDIA H200 (GH100)\n\nsmsp__issue_active   counter  of cycles\n');
  process.exit(0);
}

/** Value of an option. @param {string} name */
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const log = option('--log-file');
const end = (code, text) => {
  writeFileSync(log, `${text}\n`);
  process.exit(code);
};

const metrics = option('--metrics').split(',');
const unknown = metrics.filter((name) => lacks.includes(name));
if (unknown.length > 0) end(1, unknown.map((name) => `==ERROR== Failed to find metric ${name}`).join('\n'));
if (mode === 'permission') {
  end(
    1,
    '==PROF== Connected to process 7 (/usr/bin/node)\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission ' +
      'to access NVIDIA GPU Performance Counters on the target device 0.',
  );
}
if (mode === 'sandbox') end(1, '==ERROR== LibraryNotLoaded');
if (mode === 'crash') process.kill(process.pid, 'SIGSEGV');
if (mode === 'hang') spawnSync('sleep', ['60']);

const program = args.slice(args.indexOf('--metrics') + 2);
const report = program[program.indexOf('--json') + 1];
const made = process.env.FAKE_NCU_REPORT;
if (made !== undefined) {
  const multiplications = 1 + Number(program[program.indexOf('--warm-ups') + 1]);
  writeFileSync(report, JSON.stringify({ ...JSON.parse(made), multiplications }));
}
const ran =
  made === undefined ? spawnSync(program[0], program.slice(1), { encoding: 'utf8' }) : { status: 0 };
if (mode === 'exit') ran.status = 1;
if (ran.status !== 0 || !existsSync(report))
  end(ran.status ?? 9, '==ERROR== The application returned an error code (1).');
if (mode === 'nothing') end(0, '==WARNING== No kernels were profiled.');

const { symbols, multiplications } = JSON.parse(readFileSync(report, 'utf8'));
const each = symbols.length > 0 ? symbols : (process.env.FAKE_NCU_LIBRARY ?? '').split(';');
const filter = option('--kernel-name')?.replace(/^regex:/, '');
const launched = Array.from({ length: multiplications }, () => each).flat();
const matching = filter === undefined ? launched : launched.filter((name) => new RegExp(filter).test(name));
const skip = Number(option('--launch-skip') ?? 0);
const profiled = matching.slice(skip, skip + Number(option('--launch-count') ?? matching.length));

/** Figures and units as a GPU would give them; whatever is not here is 1. @type {Record<string, [string, string]>} */
const figures = {
  'smsp__issue_active.avg.per_cycle_active': ['0.63', 'inst/cycle'],
  'smsp__issue_active.avg.pct_of_peak_sustained_active': ['62.61', '%'],
  'smsp__issue_inst0.avg.pct_of_peak_sustained_active': ['37.39', '%'],
  'smsp__average_warp_latency_per_inst_issued.ratio': ['1.60', 'cycle'],
  'smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio': ['0.04', 'inst'],
  'smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio': ['0.31', 'inst'],
  'dram__bytes_read.sum': ['595,600,000', 'byte'],
  'dram__bytes_write.sum': ['67.1', 'Mbyte'],
  'dram__bytes.sum.per_second': ['141.24', 'Gbyte/s'],
  derived__memory_l2_theoretical_sectors_global_excessive: ['14,680,064 (16: 14680064; 32: 0)', 'byte'],
  memory_l2_theoretical_sectors_global: ['150,994,944', 'sector'],
  'gpu__time_duration.sum': ['2.76', 'msecond'],
  launch__registers_per_thread: ['231', 'register/thread'],
  sass__inst_executed_per_opcode: ['2,000 (FFMA: 1,720; LDS: 200; LDGSTS.E.BYPASS: 30; LDGSTS: 50)', 'inst'],
};
const titles = [
  'ID',
  'Process ID',
  'Process Name',
  'Host Name',
  'Kernel Name',
  'Context',
  'Stream',
  'Block Size',
];
titles.push('Grid Size', 'Device', 'CC', ...metrics);
const csv = (cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
const rows = profiled.map((name, id) => [
  ...[String(id), '7', 'node', '127.0.0.1', name, '1', '7', '(256, 1, 1)', '(32, 16, 1)', '0', '9.0'],
  // Each launch takes longer than the one before.
  ...metrics.map((metric) =>
    metric === 'gpu__time_duration.sum' ? String(2.76 * (id + 1)) : (figures[metric]?.[0] ?? '1'),
  ),
]);
end(
  0,
  [
    '==PROF== Connected to process 7 (/usr/bin/node)',
    '==WARNING== Found outstanding GPU clock reset, trying to revert...Success.',
    csv(titles),
    csv([...Array(11).fill(''), ...metrics.map((metric) => figures[metric]?.[1] ?? '')]),
    ...rows.map(csv),
  ].join('\n'),
);
