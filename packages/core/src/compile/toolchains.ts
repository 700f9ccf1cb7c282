import { ArgumentError, UnavailableError } from '../errors.js';
import { findClang } from './clang.js';
import {
  type Compiler,
  type CompilerName,
  compilerNames,
  type Found,
  type ToolchainStatus,
} from './compiler.js';
import type { Environment } from './find-executable.js';
import { findNvcc } from './nvcc.js';
import { findNvrtc } from './nvrtc.js';
import { findPtxas, type Ptxas } from './ptxas.js';

const finders: Record<CompilerName, (env: Environment) => Promise<Found<Compiler>>> = {
  nvcc: findNvcc,
  nvrtc: findNvrtc,
  clang: findClang,
};

/** A compiler, and the assembler that makes cubins of its PTX where there is one. */
export interface Toolchain {
  readonly compiler: Compiler;
  readonly ptxas: Ptxas | undefined;
}

const steering = [
  ...['PATH', 'NVCC', 'CUDA_HOME', 'CUDA_PATH', 'FFMA_CLANG'],
  ...['FFMA_LIBNVRTC', 'VIRTUAL_ENV', 'CONDA_PREFIX'],
  ...['NVCC_CCBIN', 'NVCC_PREPEND_FLAGS', 'NVCC_APPEND_FLAGS'],
];

const searches = new Map<string, Promise<unknown>>();

/** Searches once for each state of the variables that steer it. */
function once<T>(what: string, env: Environment, search: () => Promise<T>): Promise<T> {
  const key = JSON.stringify([what, ...steering.map((variable) => env[variable])]);
  const running = (searches.get(key) as Promise<T> | undefined) ?? search();
  searches.set(key, running);
  return running;
}

function find(name: CompilerName, env: Environment): Promise<Found<Compiler>> {
  return once(name, env, () => finders[name](env));
}

async function withPtxas(compiler: Compiler, env: Environment): Promise<Toolchain> {
  const nvcc = compiler.name === 'nvcc' ? compiler.path : undefined;
  return { compiler, ptxas: await once(`ptxas ${nvcc}`, env, () => findPtxas(env, nvcc)) };
}

/** Every known compiler in the order in which they are tried, with where it is, or why it cannot be used. */
export async function findToolchains(env: Environment = process.env): Promise<ToolchainStatus[]> {
  return Promise.all(
    compilerNames.map(async (name): Promise<ToolchainStatus> => {
      const found = await find(name, env);
      if (!('tool' in found)) return { name, available: false, ...found };
      const { ptxas } = await withPtxas(found.tool, env);
      const { path, version } = found.tool;
      return {
        name,
        available: true,
        path,
        version,
        formats: ptxas === undefined ? ['ptx'] : ['cubin', 'ptx'],
      };
    }),
  );
}

function parseName(name: string, from: string): CompilerName {
  const known = compilerNames.find((each) => each === name);
  if (known === undefined) {
    throw new ArgumentError(`${from} must be one of ${compilerNames.join(', ')}, but is '${name}'.`);
  }
  return known;
}

/**
 * The compiler to use: the one asked for, the one that `FFMA_CUDA_COMPILER` names, else the first that is there.
 * @throws UnavailableError saying what was looked for; ArgumentError for an unknown name
 */
export async function chooseToolchain(wanted?: string, env: Environment = process.env): Promise<Toolchain> {
  const forced = wanted ?? env.FFMA_CUDA_COMPILER;
  const names = forced
    ? [parseName(forced, wanted === undefined ? 'FFMA_CUDA_COMPILER' : 'The compiler')]
    : compilerNames;
  const reasons: string[] = [];
  let remedy = 'Install one (Debian: apt-get install clang-19).';
  for (const name of names) {
    const found = await find(name, env);
    if ('tool' in found) return withPtxas(found.tool, env);
    reasons.push(`${name}: ${found.reason}`);
    if (forced) remedy = found.remedy ?? remedy;
  }
  const what = forced ? `The CUDA compiler ${forced} cannot be used` : 'There is no CUDA compiler';
  throw new UnavailableError(`${what}. ${reasons.join(' ')}`, { remedy, details: { reasons } });
}
