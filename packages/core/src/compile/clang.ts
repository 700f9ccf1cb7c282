import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Compiler, Found, PtxJob, PtxOutcome } from './compiler.js';
import { type Environment, findExecutable } from './find-executable.js';
import { runProcess } from './run-process.js';
import { includeFolder } from './source-files.js';

const remedy = 'Install it (Debian: apt-get install clang-19).';
const candidates = ['clang-19', 'clang-20', 'clang-21', 'clang-22', 'clang'];
/** The first that writes PTX ISA 8.1. */
const leastMajor = 17;

/** Declares what kernels use of CUDA's language. */
const preludeName = 'ffma/clang-cuda.h';

class Clang implements Compiler {
  readonly name = 'clang';
  readonly reproducible = true;
  readonly path: string;
  readonly version: string;
  readonly fullVersion: string;
  readonly support: Readonly<Record<string, string>>;
  readonly settings = {};
  readonly #env: Environment;

  constructor(path: string, fullVersion: string, prelude: string, env: Environment) {
    this.path = path;
    this.fullVersion = fullVersion;
    this.version = versionOf(fullVersion) ?? 'unknown';
    this.support = { [preludeName]: prelude };
    this.#env = env;
  }

  flags(arch: string): readonly string[] {
    return [
      '--no-default-config',
      '-x',
      'cuda',
      '--cuda-device-only',
      '-S',
      '-O3',
      '-std=c++17',
      '-ffp-contract=off',
      // Every call is inlined, as nvcc does it, lambdas included: an array whose address goes to a function that is left
      // apart would stay in local memory. This weighs functions by their instructions, and here these weigh nothing.
      '-mllvm',
      '-inline-instr-cost=0',
      // A loop that says so is unrolled, however long it gets; else registers that it counts through lie there, too.
      '-mllvm',
      '-pragma-unroll-threshold=1000000',
      '-gline-directives-only',
      `--cuda-gpu-arch=${arch.replace('compute_', 'sm_')}`,
      // No toolkit, not even one that is installed: the output must not depend on it. 8.1 has all that kernels use of sm_90.
      '-nocudainc',
      '-nocudalib',
      '--cuda-path=none',
      '-Xclang',
      '-target-feature',
      '-Xclang',
      '+ptx81',
      '-include',
      preludeName,
    ];
  }

  async toPtx({ folder, main, arch }: PtxJob): Promise<PtxOutcome> {
    const args = [...this.flags(arch), `-I${folder}`, main, '-o', 'out.ptx'];
    const { code, output } = await runProcess(this.path, args, { cwd: folder, env: this.#env });
    return { ptx: code === 0 ? await readFile(join(folder, 'out.ptx'), 'utf8') : undefined, log: output };
  }
}

function versionOf(text: string): string | undefined {
  return /clang version (\d+\.\d+\.\d+)/.exec(text)?.[1];
}

/** The reason why this clang will not do; undefined if it will. */
async function check(path: string, env: Environment): Promise<{ reason: string } | { fullVersion: string }> {
  const { code, output } = await runProcess(path, ['--version'], { env });
  const fullVersion = output.split('\n')[0]?.trim() ?? '';
  const version = versionOf(output);
  if (code !== 0 || version === undefined) {
    return { reason: `${path} --version failed: ${output.trim().slice(0, 200)}` };
  }
  if (Number.parseInt(version, 10) < leastMajor) {
    return { reason: `${path} is clang ${version}, but at least ${leastMajor} is needed.` };
  }
  const targets = (await runProcess(path, ['--print-targets'], { env })).output;
  if (!/\bnvptx64\b/.test(targets))
    return { reason: `${path} (clang ${version}) was built without NVIDIA's target.` };
  return { fullVersion };
}

/** clang by `FFMA_CLANG`, else the first on the PATH that is new enough. */
export async function findClang(env: Environment): Promise<Found<Compiler>> {
  if (env.FFMA_CLANG && findExecutable(env.FFMA_CLANG, env) === undefined) {
    return { reason: `FFMA_CLANG is ${env.FFMA_CLANG}, which is no program.`, remedy };
  }
  const reasons: string[] = [];
  for (const name of env.FFMA_CLANG ? [env.FFMA_CLANG] : candidates) {
    const path = findExecutable(name, env);
    if (path === undefined) continue;
    const checked = await check(path, env);
    if ('fullVersion' in checked) {
      const prelude = await readFile(join(includeFolder, preludeName), 'utf8');
      return { tool: new Clang(path, checked.fullVersion, prelude, env) };
    }
    reasons.push(checked.reason);
  }
  if (reasons.length > 0) return { reason: reasons.join(' '), remedy };
  return { reason: `There is none of ${candidates.join(', ')} on the PATH.`, remedy };
}
