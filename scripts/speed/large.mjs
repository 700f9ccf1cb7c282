// One large product on all workers, by the clock, and its memory; each mode in a process of its own.
import { spawnSync } from 'node:child_process';

const MODES = /** @type {const} */ ([
  ['relaxed', false],
  ['relaxed', true],
  ['f64', false],
  ['f64', true],
]);

/** What a mode should take of k11 at n = 1024, on two cores, once translated. @param {boolean} checks */
const wanted = (checks) => (checks ? 'under 45 s' : 'under 2 s');

/**
 * @param {string} kernel @param {number} n @param {import('@ffma/emulator').EmulatorOptions} options
 * @returns milliseconds of a launch once translated, of all before it, and peak memory of the process in MiB
 */
function timed(kernel, n, options) {
  const code = `
    import { EmulatorDevice } from '@ffma/emulator';
    import { kernels, operands } from '${new URL('./emulated.mjs', import.meta.url)}';
    const device = new EmulatorDevice(${JSON.stringify(options)});
    const stream = device.createStream();
    const data = await operands(device, stream, ${n});
    const run = async (prepared) => {
      const start = performance.now();
      prepared.enqueue(stream);
      await stream.synchronize();
      return performance.now() - start;
    };
    const loaded = await kernels.${kernel}.load(device);
    const prepared = loaded.prepare({ m: ${n}, n: ${n}, k: ${n} }, data);
    const first = await run(prepared);
    console.log(JSON.stringify([await run(prepared), first, process.resourceUsage().maxRSS / 1024]));
    device.close();`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(run.stderr);
  const [ms, firstMs, mib] = JSON.parse(run.stdout);
  return { ms: Number(ms), firstMs: Number(firstMs), mib: Number(mib) };
}

/** Prints k11 at a size in every mode, and every kernel of the list at 256. @param {number} n */
export async function largeProblem(n) {
  if (!Number.isInteger(n) || n < 256 || n % 256 !== 0)
    throw new RangeError(`--n takes a multiple of 256, but got ${n}.`);
  const limit = Math.round((12 * n * n * 4) / 2 ** 20 + 512);
  console.log(`k11 at n = ${n}, by the clock on all workers, once translated; memory under ${limit} MiB`);
  for (const [fma, checks] of MODES) {
    const { ms, firstMs, mib } = timed('k11', n, { fma, checks });
    const text = `${(ms / 1000).toFixed(2)} s, first ${(firstMs / 1000).toFixed(2)} s, ${mib.toFixed(0)} MiB`;
    const mode = `k11, ${fma}, ${checks ? 'all checks' : 'checks off'}`;
    console.log(`${mode.padEnd(28)}${text.padStart(34)}   ${n === 1024 ? wanted(checks) : ''}`);
  }
  const { kernels } = await import('./emulated.mjs');
  console.log('\nEvery kernel at n = 256, relaxed, checks off; under 1 s');
  for (const kernel of Object.keys(kernels)) {
    const { ms, mib } = timed(kernel, 256, { fma: 'relaxed', checks: false });
    console.log(`${kernel.padEnd(28)}${`${(ms / 1000).toFixed(2)} s, ${mib.toFixed(0)} MiB`.padStart(34)}`);
  }
}
