import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { NativeBinding } from '../cuda/binding.js';
import { cudaVersion } from '../cuda/driver.js';
import { libraries, libraryCandidates } from '../cuda/library-paths.js';
import { addon } from '../cuda/loader.js';
import { CompileError, UnavailableError } from '../errors.js';
import type { Compiler, Found, PtxJob, PtxOutcome } from './compiler.js';
import type { Environment } from './find-executable.js';

const remedy = 'Install the CUDA toolkit, or the Python package nvidia-cuda-nvrtc.';

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

/**
 * NVRTC looks a header up by the name in the directive, so one that is included relative to the file that asks is
 * there under the ends of its path too; a full path goes first.
 */
function headersFor(main: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const parts = name.split('/');
    for (let from = 1; from < parts.length; from++) headers[parts.slice(from).join('/')] ??= text;
  }
  return { ...headers, ...Object.fromEntries(Object.entries(texts).filter(([name]) => name !== main)) };
}

class Nvrtc implements Compiler {
  readonly name = 'nvrtc';
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
    const texts = await textsIn(folder);
    const source = texts[main] ?? '';
    const headers = headersFor(main, texts);
    const options = this.flags(arch.replace('sm_', 'compute_'));
    try {
      const { image, log } = await this.#binding.compile({
        source,
        name: main,
        headers,
        options,
        format: 'ptx',
      });
      return { ptx: new TextDecoder().decode(image), log };
    } catch (error) {
      if (!(error instanceof CompileError)) throw error;
      return { ptx: undefined, log: String(error.details?.log ?? error.message) };
    }
  }
}

/** NVRTC, through the CUDA addon. */
export async function findNvrtc(env: Environment): Promise<Found<Compiler>> {
  let binding: NativeBinding;
  try {
    binding = addon().binding;
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { reason: `NVRTC is reached through the CUDA addon. ${error.message}` };
  }
  const candidates = libraryCandidates(libraries.nvrtc, env);
  const { found, path, version } = binding.openLibrary('nvrtc', candidates);
  if (!found || path === undefined) {
    return { reason: `There is no NVRTC: ${candidates[0]} does not load.`, remedy };
  }
  return { tool: new Nvrtc(binding, path, cudaVersion(Number(version))) };
}
