import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Compiler, Found, PtxJob, PtxOutcome } from './compiler.js';
import { type Environment, findExecutable } from './find-executable.js';
import { runProcess } from './run-process.js';
import { type SteadyProcess, steadyProcess } from './steady-process.js';

const remedy = 'Install the CUDA toolkit, or use clang instead (Debian: apt-get install clang-19).';

/**
 * nvcc includes its runtime header ahead of everything, and with it glibc's math.h, which declares a function named
 * ffma; the namespace of the device headers has that name. Found first, in the folder of the compilation, this one
 * puts the function out of the way.
 */
const runtimeHeader = `#define ffma ffma_of_libc
#include_next <cuda_runtime.h>
#undef ffma
`;

class Nvcc implements Compiler {
  readonly name = 'nvcc';
  readonly path: string;
  readonly version: string;
  readonly fullVersion: string;
  readonly support = process.platform === 'win32' ? {} : { 'cuda_runtime.h': runtimeHeader };
  readonly settings: Readonly<Record<string, string | undefined>>;
  readonly reproducible: boolean;
  readonly #env: Environment;
  readonly #steady: SteadyProcess | undefined;

  constructor(path: string, fullVersion: string, env: Environment, steady: SteadyProcess | undefined) {
    this.path = path;
    this.reproducible = steady !== undefined;
    this.#steady = steady;
    this.fullVersion = fullVersion;
    this.version = /V(\d+\.\d+\.\d+)/.exec(fullVersion)?.[1] ?? 'unknown';
    const { NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, NVCC_CCBIN } = env;
    this.settings = { NVCC_PREPEND_FLAGS, NVCC_APPEND_FLAGS, NVCC_CCBIN };
    this.#env = env;
  }

  flags(arch: string): readonly string[] {
    return ['-ptx', `-arch=${arch}`, '-O3', '-fmad=false', '-lineinfo', '--std=c++17'];
  }

  async toPtx({ folder, main, arch }: PtxJob): Promise<PtxOutcome> {
    const args = [...this.flags(arch), '--keep', '-I.', main, '-o', 'out.ptx'];
    const [program = this.path, ...rest] = [...(this.#steady?.prefix ?? []), this.path, ...args];
    const env = { ...this.#env, ...this.#steady?.env };
    const { code, output } = await runProcess(program, rest, { cwd: folder, env });
    return { ptx: code === 0 ? await readFile(join(folder, 'out.ptx'), 'utf8') : undefined, log: output };
  }
}

function locate(env: Environment): { path: string } | { reason: string } {
  if (env.NVCC) {
    const path = findExecutable(env.NVCC, env);
    return path === undefined ? { reason: `NVCC is ${env.NVCC}, which is no program.` } : { path };
  }
  for (const variable of ['CUDA_HOME', 'CUDA_PATH']) {
    const home = env[variable];
    const path = home ? findExecutable(join(home, 'bin', 'nvcc'), env) : undefined;
    if (path !== undefined) return { path };
  }
  const path = findExecutable('nvcc', env);
  if (path !== undefined) return { path };
  const home = env.CUDA_HOME || env.CUDA_PATH;
  return { reason: `There is no nvcc ${home ? `in ${join(home, 'bin')} or ` : ''}on the PATH.` };
}

/** nvcc by `NVCC`, `CUDA_HOME`, `CUDA_PATH` or PATH, in that order. */
export async function findNvcc(env: Environment): Promise<Found<Compiler>> {
  const located = locate(env);
  if ('reason' in located) return { reason: located.reason, remedy };
  const host = process.platform === 'win32' ? 'cl' : 'gcc';
  if (!env.NVCC_CCBIN && findExecutable(host, env) === undefined) {
    return {
      reason: `${located.path} needs the host compiler ${host}, which is not on the PATH.`,
      remedy: 'Install it (Debian: apt-get install g++).',
    };
  }
  const { code, output } = await runProcess(located.path, ['--version'], { env });
  if (code !== 0 || !/V\d+\.\d+\.\d+/.test(output)) {
    return { reason: `${located.path} --version failed: ${output.trim().slice(0, 200)}`, remedy };
  }
  const steady = await steadyProcess(located.path, env);
  return { tool: new Nvcc(located.path, output.trim(), env, steady) };
}
