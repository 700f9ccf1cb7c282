// The project's own benchmarks: how fast the emulator runs on one core, and what starting costs. They are printed,
// never asserted: a busy machine must not fail a test. Run after a build: `npm run speed`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '@ffma/core';
import { compile } from '@ffma/core/compile';
import { EmulatorDevice } from '@ffma/emulator';
import { k03 } from '@ffma/kernels-cudacore';

/** @typedef {import('@ffma/emulator').EmulatorOptions} EmulatorOptions */

/** @param {number} length */
const random = (length) => Float32Array.from({ length }, () => Math.random() * 2 - 1);

/**
 * Milliseconds of the fastest of `count` runs.
 * @param {number} count
 * @param {() => Promise<void>} run
 */
async function fastest(count, run) {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    await run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/**
 * Random A and B and room for C, all n×n.
 * @param {import('@ffma/core').Device} device
 * @param {import('@ffma/core').Stream} stream
 * @param {number} n
 */
async function operands(device, stream, n) {
  const size = 4 * n * n;
  const [a, b, c] = await Promise.all([device.allocate(size), device.allocate(size), device.allocate(size)]);
  await Promise.all([a.copyFrom(stream, random(n * n)), b.copyFrom(stream, random(n * n))]);
  return { a, b, c };
}

/** @param {EmulatorOptions} options */
async function k03Speed(options, n = 256) {
  const device = new EmulatorDevice({ workers: 1, ...options });
  const stream = device.createStream();
  const loaded = await k03.load(device);
  const prepared = loaded.prepare({ m: n, n, k: n }, await operands(device, stream, n));
  const best = await fastest(8, () => {
    prepared.enqueue(stream);
    return stream.synchronize();
  });
  device.close();
  return best;
}

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
  const best = await fastest(8, () => {
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
 * Milliseconds of the first launch in a fresh process.
 * @param {string} cacheDir where translations are kept
 */
function firstLaunch(cacheDir) {
  const code = `
    import { EmulatorDevice } from '@ffma/emulator';
    import { k03 } from '@ffma/kernels-cudacore';
    const device = new EmulatorDevice({ workers: 1, fma: 'f64' });
    const buffer = device.allocateSync(4);
    const stream = device.createStream();
    buffer.fill(stream, 0); await stream.synchronize();
    const c = device.allocateSync(4);
    const prepared = (await k03.load(device)).prepare({ m: 1, n: 1, k: 1 }, { a: buffer, b: buffer, c });
    const start = performance.now();
    prepared.enqueue(stream); await stream.synchronize();
    console.log(performance.now() - start); device.close();`;
  const env = { ...process.env, FFMA_CACHE_DIR: cacheDir };
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], { env, encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  return Number(run.stdout);
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

/** @param {number} n @param {number} ms */
const rate = (n, ms) => `${(n ** 3 / ms / 1000).toFixed(0)} M/s`;
console.log('Emulator on one core (exact FMAs a second; fastest of 8 runs)');
/** @type {['f64' | 'relaxed', string, string][]} */
const paths = [
  ['f64', 'at least 130 M/s', 'at least 300 M/s'],
  ['relaxed', 'at least 180 M/s', 'at least 800 M/s'],
];
for (const [fma, k03Wanted, tiledWanted] of paths) {
  for (const checks of [false, true]) {
    const mode = `${fma}, checks ${checks ? 'on' : 'off'}`;
    const k03Ms = await k03Speed({ fma, checks });
    row(`k03 at n = 256, ${mode} (${k03Ms.toFixed(0)} ms)`, rate(256, k03Ms), checks ? '' : k03Wanted);
    row(
      `8×8 patches at n = 512, ${mode}`,
      rate(512, await tiledSpeed({ fma, checks })),
      checks ? '' : tiledWanted,
    );
  }
}
row(
  'k03 at n = 256, f64, checks and counters',
  rate(256, await k03Speed({ fma: 'f64', counters: true })),
  '',
);
console.log('\nStarting');
const cacheDir = mkdtempSync(join(tmpdir(), 'ffma-speed-'));
try {
  row(
    'first launch of k03, nothing cached',
    `${firstLaunch(cacheDir).toFixed(0)} ms`,
    'translation under 1 s',
  );
  row(
    'first launch of k03, translation cached',
    `${firstLaunch(cacheDir).toFixed(0)} ms`,
    'with starting a worker',
  );
} finally {
  rmSync(cacheDir, { recursive: true });
}
row('import @ffma/core', `${importTime('@ffma/core').toFixed(0)} ms`, 'under 50 ms');
row('import @ffma/emulator', `${importTime('@ffma/emulator').toFixed(0)} ms`, '');
