import type { ObjectFormat } from '../device/object-code.js';

/** Compilers that ffma knows, in the order in which they are tried. */
export const compilerNames = ['nvcc', 'nvrtc', 'clang'] as const;

export type CompilerName = (typeof compilerNames)[number];

/** A folder that holds everything a compilation reads, under the names that end up in line information. */
export interface PtxJob {
  /** Absolute path; the current folder of the compiler, and its only include path. */
  readonly folder: string;
  /** File to compile, relative to the folder. */
  readonly main: string;
  /** `compute_80`. */
  readonly arch: string;
}

/** What a compiler wrote: PTX where it succeeded, and its messages either way. */
export interface PtxOutcome {
  readonly ptx: string | undefined;
  readonly log: string;
}

/** A CUDA compiler that is there. */
export interface Compiler {
  readonly name: CompilerName;
  readonly path: string;
  /** E.g. `13.0.88`. */
  readonly version: string;
  /** All that it says about its version: two builds of one version differ here. */
  readonly fullVersion: string;
  /** Whether it makes the same bytes of the same files each time; for that of nvcc see steady-process.ts. */
  readonly reproducible: boolean;
  /** Every flag that can change the output. Part of the cache key. */
  flags(arch: string): readonly string[];
  /** Values of the variables by which its user adds flags. Part of the cache key. */
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Files it needs beside the sources, by name. */
  readonly support: Readonly<Record<string, string>>;
  toPtx(job: PtxJob): Promise<PtxOutcome>;
}

/** Whether a compiler can be used, and if not, why. */
export type ToolchainStatus =
  | {
      readonly name: CompilerName;
      readonly available: true;
      readonly path: string;
      readonly version: string;
      /** `cubin` needs ptxas. */
      readonly formats: readonly ObjectFormat[];
    }
  | {
      readonly name: CompilerName;
      readonly available: false;
      /** A sentence: what was looked for, or what is wrong with what was found. */
      readonly reason: string;
      /** What brings it, as a sentence. */
      readonly remedy?: string;
    };

/** Either a usable tool, or the sentence that says why there is none. */
export type Found<T> = { readonly tool: T } | { readonly reason: string; readonly remedy?: string };
