import {
  type MathMode as ArtefactMath,
  ClosedError,
  type Device,
  type Gemm,
  type GemmArtefact,
  type GemmLoadOptions,
  type GemmProblem,
  UnavailableError,
  UnsupportedError,
} from '@ffma/core';
import type { MathMode } from '../addon/binding.js';
import { asFfmaError } from '../addon/native-error.js';
import { fileDigest } from '../library/file-digest.js';
import { type OpenCublas, openCublas } from '../library/find-cublas.js';
import { describeOverride, type MathOverride, mathOverrides } from '../math-overrides.js';
import { contextHandle } from './cuda-handles.js';
import { LoadedCublas } from './loaded-cublas.js';
import { streamHandles } from './stream-handles.js';

const MAX_INT32 = 2 ** 31 - 1;

/** Variables that are set, for the artefact. Pedantic math obeys none of them (seen with cuBLAS 13.1). */
function overridesOf(mode: MathMode): readonly string[] {
  if (mode === 'default') return mathOverrides().map(describeOverride);
  return ['pedantic math', ...mathOverrides().map(({ variable, value }) => `${variable}=${value} is set`)];
}

function mathModeOf(mode: MathMode): ArtefactMath {
  if (mode === 'pedantic') return 'fp32-pedantic';
  const tf32 = ({ variable, lossy }: MathOverride) => lossy && variable === 'NVIDIA_TF32_OVERRIDE';
  return mathOverrides().some(tf32) ? 'tf32' : 'fp32';
}

async function artefactOf(open: OpenCublas, arch: string, mode: MathMode): Promise<GemmArtefact> {
  return {
    ranAs: 'library',
    sha256: await fileDigest(open.library.path),
    arch,
    compiler: [`cuBLAS ${open.version}`, ...overridesOf(mode)].join('; '),
    mathMode: mathModeOf(mode),
  };
}

/** cuBLAS as a kernel: cublasSgemm in one of its math modes. */
export class CublasGemm implements Gemm {
  readonly id: string;
  readonly summary: string;
  readonly role = 'reference';
  /**
   * Its order of summation is its own and may split k. Any order adds k products by at most k − 1 roundings each, so
   * the bound for one sum, which is the default everywhere, holds for split k as well.
   */
  readonly exactness = 'reordered';
  readonly #mode: MathMode;

  constructor(id: string, summary: string, mode: MathMode) {
    this.id = id;
    this.summary = summary;
    this.#mode = mode;
  }

  get kernel(): string {
    return this.id;
  }

  refusal(problem: GemmProblem): string | undefined {
    for (const name of ['m', 'n', 'k', 'lda', 'ldb', 'ldc'] as const) {
      if (problem[name] > MAX_INT32) {
        return `cublasSgemm takes 32-bit sizes, up to ${MAX_INT32}, but ${name} is ${problem[name]}.`;
      }
    }
    return undefined;
  }

  /**
   * Finds cuBLAS and tries it on the device.
   * @throws UnavailableError where the device is none of CUDA, or cuBLAS was not found or does not run on it
   * @throws ClosedError where the device is closed before it is loaded
   */
  async load(device: Device, options: GemmLoadOptions = {}): Promise<LoadedCublas> {
    if (contextHandle(device) === undefined) {
      throw new UnavailableError(`${this.id} needs an NVIDIA GPU, but the device is ${device.name}.`, {
        remedy: "Load it on openDevice('cuda').",
      });
    }
    if (options.format !== undefined) {
      throw new UnsupportedError(`${this.id} is a library; it cannot be loaded as ${options.format}.`);
    }
    const open = await openCublas();
    try {
      // Asked again: meanwhile it may have been closed.
      await open.library.tryContext({ context: contextHandle(device) as bigint });
    } catch (error) {
      throw asFfmaError(error, device);
    }
    const artefact = await artefactOf(open, device.arch, this.#mode);
    if (device.closed) throw new ClosedError('CUDA device');
    return new LoadedCublas(this, streamHandles(device, open.library), artefact, this.#mode);
  }
}
