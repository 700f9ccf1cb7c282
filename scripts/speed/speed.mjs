// The project's own benchmarks: how fast the emulator runs on one core, and what starting costs. They are printed;
// a test holds bounds that a busy machine keeps. Run after a build: `npm run speed`, or `npm run speed -- --n 1024`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '@ffma/core';
import { compile } from '@ffma/core/compile';
import { EmulatorDevice } from '@ffma/emulator';
import { kernelSpeed, leastCpu, operands, rate } from './emulated.mjs';
import { largeProblem } from './large.mjs';

const at = process.argv.indexOf('--n');
if (at >= 0) {
  await largeProblem(Number(process.argv[at + 1]));
  process.exit();
}

/** @typedef {import('@ffma/emulator').EmulatorOptions} EmulatorOptions */

/** @param {EmulatorOptions} options */
async function tiledSpeed(options, n = 512) {
  const { object } = await compile({
    source: new URL('./tiled-8x8.cu', import.meta.url),
    entries: [
      {
        symbol: 'tiled',
        fn: 'tiled',
        threads: 256,
        signature: [
          { name: 'a', type: 'in' },
          { name: 'b', type: 'in' },
          { name: 'c', type: 'out' },
          { name: 'm', type: 'i32' },
          { name: 'n', type: 'i32' },
          { name: 'k', type: 'i32' },
        ],
      },
    ],
    arch: 'compute_80',
    format: 'ptx',
  });
  const device = new EmulatorDevice({ workers: 1, ...options });
  const stream = device.createStream();
  const loaded = await device.load(object);
  const { a, b, c } = await operands(device, stream, n);
  /** @type {import('@ffma/core').KernelArg[]} */
  const args = [a, b, c].map((buffer) => ({ type: 'pointer', buffer }));
  /** @type {import('@ffma/core').KernelArg[]} */
  const sizes = [n, n, n].map((value) => ({ type: 'i32', value }));
  const best = await leastCpu(8, () => {
    launch(
      stream,
      { grid: [n / 128, n / 128, 1], block: [256, 1, 1] },
      loaded.kernel('tiled'),
      ...args,
      ...sizes,
    );
    return stream.synchronize();
  });
  device.close();
  return best;
}

/**
 * The first launch of a kernel in a fresh process, and memory after it: CPU milliseconds from loading it to its result,
 * less a second launch, and MiB.
 * @param {string} kernel @param {EmulatorOptions} options @param {number} n
 * @param {string} cacheDir where translations are kept
 */
function firstLaunch(kernel, options, n, cacheDir) {
  const code = `
    import { kernelSpeed } from '${new URL('./emulated.mjs', import.meta.url)}';
    const { ms, firstMs } = await kernelSpeed('${kernel}', ${JSON.stringify(options)}, { n: ${n}, count: 1 });
    console.log(JSON.stringify([firstMs - ms, process.resourceUsage().maxRSS / 1024]));`;
  const env = { ...process.env, FFMA_CACHE_DIR: cacheDir };
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  const [ms, mib] = JSON.parse(run.stdout);
  return { ms: Number(ms), mib: Number(mib) };
}

/** @param {string} specifier */
function importTime(specifier) {
  const code = `const s = performance.now(); await import('${specifier}'); console.log(performance.now() - s);`;
  return Number(
    spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout,
  );
}

/** @param {string} what @param {string} measured @param {string} wanted */
function row(what, measured, wanted) {
  console.log(`${what.padEnd(52)}${measured.padStart(14)}   ${wanted}`);
}

/** @param {number} perSecond */
const millions = (perSecond) => `${(perSecond / 1e6).toFixed(0)} M/s`;

console.log(
  'Emulator on one core, exact FMAs a second by CPU time, the fastest of 3 runs at n = 512; with counters, 256',
);
/** @type {[string, EmulatorOptions][]} */
const modes = [
  ['checks off', { checks: false }],
  ['checks on', { checks: true }],
  ['checks and counters', { checks: true, counters: true }],
];
/** @type {Record<string, string>} */
const wanted = { 'k11 relaxed checks off': 'at least 800 M/s', 'k11 f64 checks off': 'at least 250 M/s' };
for (const kernel of /** @type {const} */ (['k03', 'k06', 'k11', 'k14'])) {
  for (const fma of /** @type {const} */ (['relaxed', 'f64'])) {
    for (const [mode, options] of modes) {
      const problem = { n: options.counters === true ? 256 : 512, count: 3 };
      const { perSecond } = await kernelSpeed(kernel, { fma, ...options }, problem);
      row(`${kernel}, ${fma}, ${mode}`, millions(perSecond), wanted[`${kernel} ${fma} ${mode}`] ?? '');
    }
  }
}
for (const fma of /** @type {const} */ (['relaxed', 'f64'])) {
  const ms = await tiledSpeed({ fma, checks: false });
  row(`8×8 patches from plain CUDA, ${fma}, checks off`, millions(rate(512, ms)), '');
}

console.log('\nA first launch, in CPU time: parsing, translating and compiling, with starting a worker');
const cacheDir = mkdtempSync(join(tmpdir(), 'ffma-speed-'));
try {
  for (const kernel of ['k03', 'k13', 'k14']) {
    for (const fma of /** @type {const} */ (['relaxed', 'f64'])) {
      const [fresh, cached] = [1, 2].map(() => firstLaunch(kernel, { fma }, 256, cacheDir).ms);
      const text = `${(cached ?? 0).toFixed(0)} ms cached`;
      row(`${kernel}, ${fma}, checks on: ${(fresh ?? 0).toFixed(0)} ms, then`, text, 'under 2000 ms cached');
    }
  }
  const { mib } = firstLaunch('k11', { fma: 'relaxed', checks: false }, 1024, cacheDir);
  row('memory of k11 at n = 1024 (12 MiB of matrices)', `${mib.toFixed(0)} MiB`, 'under 560 MiB');
} finally {
  rmSync(cacheDir, { recursive: true });
}
row('import @ffma/core', `${importTime('@ffma/core').toFixed(0)} ms`, 'under 50 ms');
row('import @ffma/emulator', `${importTime('@ffma/emulator').toFixed(0)} ms`, '');
