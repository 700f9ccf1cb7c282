import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { cwd } from 'node:process';
import type { NativeBinding } from '../cuda/binding.js';
import { cudaVersion } from '../cuda/driver.js';
import { libraries, libraryCandidates } from '../cuda/library-paths.js';
import { addon } from '../cuda/loader.js';
import { missingLibrary } from '../cuda/missing-library.js';
import { CompileError, FfmaError, UnavailableError } from '../errors.js';
import type { Compiler, Found, PtxJob, PtxOutcome } from './compiler.js';
import type { Environment } from './find-executable.js';
import { withFullNames } from './include-names.js';
import { firstError } from './log.js';
import { portablePtx } from './portable-ptx.js';

const remedy = 'Install the CUDA toolkit, or the Python package nvidia-cuda-nvrtc.';
const repair = 'Install it anew, or name another one by FFMA_LIBNVRTC.';

/** NVRTC reads no files: it is given every text of the folder by its name. */
async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const named = paths.map(async (path) => [
    relative(folder, path).split(sep).join('/'),
    await readFile(path, 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(named));
}

class Nvrtc implements Compiler {
  readonly name = 'nvrtc';
  /** It is nvcc's compiler, in this process, whose addresses are random: see steady-process.ts. */
  readonly reproducible = false;
  readonly path: string;
  readonly version: string;
  readonly fullVersion: string;
  readonly support = {};
  readonly settings = {};
  readonly #binding: NativeBinding;

  constructor(binding: NativeBinding, path: string, version: string) {
    this.#binding = binding;
    this.path = path;
    this.version = version;
    this.fullVersion = `NVRTC ${version} at ${path}`;
  }

  flags(arch: string): readonly string[] {
    return [`--gpu-architecture=${arch}`, '--fmad=false', '-lineinfo', '--std=c++17'];
  }

  async toPtx({ folder, main, arch }: PtxJob): Promise<PtxOutcome> {
    const { [main]: source = '', ...headers } = withFullNames(await textsIn(folder));
    const options = this.flags(arch.replace('sm_', 'compute_'));
    try {
      const { image, log } = await this.#binding.compile({
        source,
        name: main,
        headers,
        options,
        format: 'ptx',
      });
      // It takes names of texts for paths from the current folder.
      return { ptx: portablePtx(new TextDecoder().decode(image), cwd()), log };
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return { ptx: undefined, log: String(error.details?.log ?? error.message) };
    }
  }
}

/** The least kernel that needs all of NVRTC. */
const trial = 'extern "C" __global__ void trial(float* c) { c[threadIdx.x] = 0; }';

/** Compiles the trial: an NVRTC that lacks its second library opens like one that works. @throws FfmaError why not */
async function tryOut(binding: NativeBinding, compiler: Nvrtc): Promise<void> {
  const options = compiler.flags('compute_80');
  await binding.compile({ source: trial, name: 'trial.cu', headers: {}, options, format: 'ptx' });
}

/** NVRTC, through the CUDA addon: the first that loads, if it can compile. */
export async function findNvrtc(env: Environment): Promise<Found<Compiler>> {
  let binding: NativeBinding;
  try {
    binding = addon().binding;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { reason: `NVRTC is reached through the CUDA addon. ${error.message}` };
  }
  const { found, path, version, attempts } = binding.openLibrary(
    'nvrtc',
    libraryCandidates(libraries.nvrtc, env),
  );
  if (!found || path === undefined) {
    const absent = attempts.every(({ problem }) => problem === 'absent');
    const what = absent ? 'There is no NVRTC' : 'NVRTC cannot be used';
    return { reason: `${what}: ${missingLibrary(libraries.nvrtc, attempts, env)}.`, remedy };
  }
  const compiler = new Nvrtc(binding, path, cudaVersion(Number(version)));
  try {
    await tryOut(binding, compiler);
  } catch (error) {
    if (!(error instanceof FfmaError)) throw error;
    const { log } = (error.details ?? {}) as { log?: string };
    const said = error instanceof CompileError && log ? ` ${firstError(log)}` : '';
    return { reason: `${path} is found, but cannot compile. ${error.message}${said}`, remedy: repair };
  }
  return { tool: compiler };
}
