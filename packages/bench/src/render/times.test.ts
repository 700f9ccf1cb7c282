import { expect, test } from 'vitest';
import { runBench } from '../bench/run-bench.js';
import { parseSizes } from '../bench/sizes.js';
import type { BenchResult } from '../result/schema.js';
import { discoveryOf, type FakeKernelOptions, fakeKernel, selected } from '../test-support/fake-kernel.js';
import { FakeTimingDevice, type FakeTimingOptions } from '../test-support/fake-timing-device.js';
import { renderBench, renderBenchMarkdown } from './bench.js';
import { renderSpeedTable } from './speed-table.js';
import { plain } from './style.js';
import { widthOf } from './text.js';
import { rate } from './times.js';

const usual: Readonly<Record<string, FakeKernelOptions>> = {
  lib: { role: 'reference' },
  k01: {},
  k02: {},
  fixed: { specialised: true },
  wrong: { error: 1 },
};
// A little noise, so that ranges are ranges.
const around = (us: number) => (n: number) => us * (1 + Math.floor(n / 3) / 1000);
const times = { lib: around(64), k01: around(21_430), k02: () => 61.3, fixed: around(60) };

async function result(device: FakeTimingOptions = {}, kernels = usual): Promise<BenchResult> {
  const found = Object.entries(kernels).map(([name, parts]) => fakeKernel(name, parts));
  return runBench(new FakeTimingDevice({ times, ...device }), found.map(selected), {
    sizes: parseSizes('8,16'),
    discovery: discoveryOf(...found),
    protocol: { rounds: 3, launches: 3, warmUpMs: 0 },
  });
}

const text = (of: BenchResult) => renderBench(of, plain, 80).join('\n');

test('a table for a terminal is at most 80 columns wide', async () => {
  const lines = renderBench(await result(), plain, 80);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  expect(lines.slice(0, 2).join(' ')).toContain('fake GPU (sm_90, FMA f64, driver 580.1, GPU 45e79392)');
});

test('each row has its time, rate, share of the reference, its interval, rounds won, and what ran', async () => {
  const found = text(await result());
  expect(found).toMatch(/^kernel +µs +TFLOP\/s +% of lib +95 % interval +faster in +ran$/m);
  expect(found).toMatch(/^lib +64\.1 +\S+ +100\.0 +– +– +emulated$/m);
  expect(found).toMatch(/^k01 +21451 +\S+ +0\.3 +0\.3–0\.3 +0 of 3 +emulated$/m);
  expect(found).toMatch(/^k02 +61\.3 +\S+ +104\.5 +104\.4–104\.6 +3 of 3 +emulated$/m);
});

test('what was made for the size stands apart, and so does what is fastest', async () => {
  const found = text(await result());
  expect(found).toMatch(/^k02 .*\nMade for this size alone:\nkernel .*\nfixed +60\.1/m);
  expect(found).toContain('→ Fastest: k02, at 104.5 % of lib, ahead in 3 of 3 rounds.');
  expect(found).toContain('Fastest of those made for this size alone: fixed, at 106.7 % of lib');
});

/** As one of before there were intervals, which says nothing of confidence. */
function before({ protocol, ...others }: BenchResult): BenchResult {
  const { confidence: _, ...parameters } = protocol.parameters ?? {};
  return { ...others, protocol: { ...protocol, parameters } };
}

test('a result from before there were intervals is shown as it was: with the range, and without noise', async () => {
  const found = text(before(await result()));
  expect(found).toMatch(/^kernel +µs +TFLOP\/s +% of lib +range +faster in +ran$/m);
  expect(found).not.toMatch(/interval|noise|outlier/);
});

test('noise and outliers are said, and what the rounds do not tell apart', async () => {
  const spiky = (us: number) => (n: number) => (n === 4 ? 10 * us : us + (n % 3));
  const found = await result({ times: { lib: spiky(64), k02: spiky(64) } });
  expect(text(found).replaceAll('\n', ' ')).toMatch(
    /noise 0\.0–1\.5 % of launches, 0\.0.* % of rounds; 2 of 36 launches are outliers/,
  );
  expect(text(found)).toContain('→ The rounds do not tell k02 and lib apart.');
  expect(text(await result())).not.toContain('apart.');
});

const ended = (whole: BenchResult, endedBy: 'interval' | 'max-rounds' | 'time-limit', parameters: object) =>
  text({
    ...whole,
    protocol: { ...whole.protocol, parameters: { ...whole.protocol.parameters, ...parameters } },
    sessions: whole.sessions!.map((session) => ({ ...session, endedBy })),
  }).replaceAll(/\n +/g, ' ');

test('the rule that ended a session is said where it was not the number of rounds', async () => {
  const whole = await result();
  expect(ended(whole, 'interval', { untilWidth: 0.01, rounds: 100 })).toMatch(
    /^3 alternating rounds.*\n[\s\S]*→ After 3 rounds every interval is narrower than 1 %\.$/m,
  );
  expect(ended(whole, 'max-rounds', { untilWidth: 0.01 })).toContain(
    'After 3 rounds, as many as there may be, not every interval is narrower than 1 %.',
  );
  expect(ended(whole, 'time-limit', { timeLimitMs: 90_000 })).toContain(
    'The time limit of 1 min 30 s ended it after 3 rounds.',
  );
  expect(text(whole)).not.toContain('→ After');
});

test('graphs and scalars are said where they are not as usual', async () => {
  const whole = await result();
  const parameters = {
    ...whole.protocol.parameters,
    launched: 'graph',
    alpha: Math.fround(0.1),
    beta: -1e-3,
  };
  const found = text({ ...whole, protocol: { ...whole.protocol, parameters } }).replaceAll('\n', ' ');
  expect(found).toContain('L2 cold; launched as graphs; alpha 0.1, beta -0.001; math mode');
  expect(text(whole)).not.toMatch(/graph|alpha/);
});

test('how it was measured is said: rounds, launches, cache, math mode, clocks', async () => {
  const found = text(await result()).replaceAll('\n', ' ');
  expect(found).toContain(
    '3 alternating rounds, each the median of 3 launches, L2 cold; math mode fp32 on all sides; ' +
      'SM 1980 MHz; 401 W; 48 °C',
  );
});

test('a wrong kernel is below the table, with the reason', async () => {
  const found = text(await result());
  expect(found).not.toMatch(/^wrong +\d/m);
  expect(found).toMatch(/^wrong {2}wrong 8³: 8×8×8 canary: exact:/m);
});

test('another math mode is named, and its row has no share', async () => {
  const found = text(await result({}, { ...usual, k02: { mathMode: 'tf32' } })).replaceAll(/\n +/g, ' ');
  expect(found.replaceAll('\n', ' ')).toContain('math mode fp32, but k02 tf32');
  expect(found).toMatch(/^k02 +61\.3 +\S+ +– +– +– +emulated$/m);
  expect(found).toMatch(/^unranked {2}k02 8³: It computes in math mode tf32/m);
});

test('an impossible figure is called invalid', async () => {
  const found = text(await result({ maxSmClockMHz: 1, times: { ...times, k02: () => 0.001 } }));
  expect(found).not.toMatch(/^k02 /m);
  expect(found).toMatch(/^invalid {2}k02 8³: A launch of 0\.001000 µs is/m);
});

test('repeated rounds, a missing reference and unknown clocks are said', async () => {
  const repeated = text(await result({ reasons: (n) => (n === 1 ? 'hardware-thermal' : undefined) }));
  expect(repeated.replaceAll(/\n +/g, ' ')).toContain(
    'The GPU was throttled (hardware-thermal) in 1 round, which was run again.',
  );
  const alone = text(await result({ noClocks: 'NVML is not there.' }, { k01: {} })).replaceAll(/\n +/g, ' ');
  expect(alone).toMatch(/^kernel +µs +TFLOP\/s +ran$/m);
  expect(alone).toContain('There was no reference');
  expect(alone).toContain('nobody knows of throttling: NVML is not there.');
});

test('Markdown has the same in tables', async () => {
  const found = renderBenchMarkdown(await result()).join('\n');
  expect(found).toContain('| kernel | µs | TFLOP/s | % of lib | 95 % interval | faster in | ran |');
  expect(found).toMatch(/\| k02 \| 61\.3 \| \S+ \| 104\.5 \| 104\.4–104\.6 \| 3 of 3 \| emulated \|/);
  expect(found).toMatch(/Made for this size alone:\n\n\| kernel .*\n.*\n\| fixed /);
  expect(found).toContain('- Fastest: k02');
  expect(found).toMatch(/^- wrong {2}wrong 16³/m);
});

test('an interrupted result says so at its end', async () => {
  const part: BenchResult = { ...(await result()), interrupted: true };
  expect(text(part)).toMatch(/\nInterrupted: not all that was asked for was measured\.$/);
  expect(renderBenchMarkdown(part).at(-1)).toMatch(/^Interrupted/);
});

test('the table of a README has a line a kernel and a column a size', async () => {
  const lines = renderSpeedTable(await result(), 'results/x.json');
  expect(lines[0]).toBe('| kernel | 8³ | 16³ |');
  expect(lines.slice(2, 6).map((line) => line.split(' | ')[0])).toEqual([
    '| lib',
    '| k01',
    '| k02',
    '| fixed, made for each size',
  ]);
  expect(lines[2]).toMatch(/^\| lib \| 64\.1 µs, \S+ TFLOP\/s \| /);
  expect(lines[4]).toMatch(/^\| k02 \| 104\.5 % \(61\.3 µs\) \| /);
  expect(lines.at(-1)).toMatch(
    /^Percent of lib \(none 1\), median of 3 alternating rounds, .* fake GPU, driver 580\.1, 20..-..-..; \[all figures\]\(results\/x\.json\)\.$/,
  );
});

test('a kernel that failed at one size has a dash there', async () => {
  const whole = await result();
  const rows = whole.rows.map((row) => {
    const { times: _, ...rest } = row;
    return row.kernel === 'k02' && row.problem.m === 16 ? rest : row;
  });
  expect(renderSpeedTable({ ...whole, rows }, 'x')[4]).toMatch(/^\| k02 \| 104\.5 % \(61\.3 µs\) \| – \|$/);
});

test.each([
  [51.34, '51.3'],
  [2.641, '2.64'],
  [0.171, '0.171'],
  [0.0123, '0.012'],
  [123.4, '123'],
])('%s TFLOP/s is written %s', (tflops, written) => {
  expect(rate(tflops)).toBe(written);
});
