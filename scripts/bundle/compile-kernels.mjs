import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/run.mjs';

const REMEDY = 'Machine code needs nvcc of the CUDA toolkit. Without it: npm run bundle -- --ptx-only';

/**
 * Compiles every declared variant of a kernel package inside a bundle, by the bundle's own `ffma-kernelc`, so that the
 * workspace stays as its build made it.
 * @param {string} folder of the bundle
 * @param {string} place of the package in it
 * @param {readonly string[]} cubins architectures
 * @returns {Promise<{ code: number, output: string, note?: string }>}
 */
export async function compileKernels(folder, place, cubins) {
  const cwd = join(folder, place);
  const kernelc = join(folder, 'node_modules', '@ffma', 'core', 'bin', 'ffma-kernelc.js');
  for (const format of ['ptx', 'cubin'])
    rmSync(join(cwd, 'dist', 'kernels', format), { recursive: true, force: true });
  const archs = cubins.flatMap((arch) => ['--cubin', arch]);
  const result = await run(process.execPath, [kernelc, 'build', '--all-variants', ...archs], { cwd });
  if (result.code !== 0) {
    const remedy = cubins.length > 0 && /nvcc/.test(result.output) ? `\n${REMEDY}` : '';
    return { ...result, output: `${result.output.trimEnd()}${remedy}` };
  }
  const { artefacts } = JSON.parse(readFileSync(join(cwd, 'dist', 'kernels', 'manifest.json'), 'utf8'));
  return { ...result, note: `${artefacts.length} artefacts` };
}
