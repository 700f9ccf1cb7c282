import type { Experiment, Gemm, KernelDefinition, KernelManifest, Params } from '@ffma/core';

/** Part of what `ffma doctor` prints: a title of about ten letters, and sentences. */
export interface DoctorSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** An installed package whose `package.json` says `"ffma": { "kernels": … }`. */
export interface KernelPackage {
  readonly name: string;
  readonly version: string;
  /** Absolute, links resolved. */
  readonly folder: string;
  /** What `ffma-kernelc build` made; undefined where nothing was built or nothing has to be. */
  readonly manifest: KernelManifest | undefined;
  /** What its module exports as `doctor`: says what it found here, such as the library that it stands for. */
  readonly doctor?: (() => Promise<readonly DoctorSection[]>) | undefined;
}

/** A kernel that a package exports: its default variant, and the way to the others. */
export interface DiscoveredKernel {
  /** Short name: `k02`. */
  readonly name: string;
  readonly package: KernelPackage;
  /** The default variant. */
  readonly gemm: Gemm;
  /** Declared variants by name; always has `default`. */
  readonly variants: ReadonlyMap<string, Gemm>;
  /** Absent for a library behind the contract. */
  readonly definition: KernelDefinition | undefined;
  /** Makes a variant with other parameters, where the kernel can. */
  readonly with: ((params: Params) => Gemm) | undefined;
}

/** A kernel package that could not be used, and why, as a sentence. */
export interface BrokenPackage {
  readonly name: string;
  readonly folder: string;
  readonly reason: string;
}

/** An experiment that a package exports. */
export interface DiscoveredExperiment {
  readonly experiment: Experiment;
  readonly package: KernelPackage;
}

/** What {@link discoverKernels} found. */
export interface Discovery {
  /** Folder of the `package.json` that was read; undefined where there is none. */
  readonly root: string | undefined;
  readonly packages: readonly KernelPackage[];
  readonly kernels: readonly DiscoveredKernel[];
  readonly experiments: readonly DiscoveredExperiment[];
  readonly broken: readonly BrokenPackage[];
  /** Declared dependencies that are not installed, so nobody knows whether they bring kernels. */
  readonly missing: readonly string[];
}

/** Architectures a variant was built for, by format: `{ ptx: ['80', '90'], cubin: [] }`. */
export function builtArches(manifest: KernelManifest | undefined, id: string) {
  const of = (format: 'ptx' | 'cubin') =>
    (manifest?.artefacts ?? [])
      .filter((artefact) => artefact.id === id && artefact.format === format)
      .map((artefact) => artefact.arch.replace(/^\D+/, ''))
      .sort((x, y) => Number.parseInt(x, 10) - Number.parseInt(y, 10));
  return { ptx: of('ptx'), cubin: of('cubin') };
}
