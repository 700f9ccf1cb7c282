import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  checkExperiment,
  type Experiment,
  type Gemm,
  type KernelDefinition,
  type Params,
  readManifest,
  UnavailableError,
} from '@ffma/core';
import { sentenceOf } from '../error-sentence.js';
import type { DiscoveredExperiment, DiscoveredKernel, KernelPackage } from './kernel-package.js';
import type { PackageJson } from './package-json.js';

/** What a kernel of core's `defineKernel` has beyond a Gemm. Asked for by shape: two copies of core may be installed. */
interface KernelLike extends Gemm {
  readonly definition?: KernelDefinition;
  readonly variants?: ReadonlyMap<string, Gemm>;
  with?(params: Params): Gemm;
}

const members = {
  id: 'string',
  kernel: 'string',
  summary: 'string',
  exactness: 'string',
  refusal: 'function',
  load: 'function',
} as const;

function asKernel(value: unknown, at: string): KernelLike {
  for (const [name, type] of Object.entries(members)) {
    const actual = typeof (value as Record<string, unknown> | null | undefined)?.[name];
    if (actual !== type) {
      throw new UnavailableError(`${at} is not a kernel: its ${name} must be a ${type}, but is ${actual}.`, {
        remedy: 'Export what defineKernel of @ffma/core returns.',
      });
    }
  }
  return value as KernelLike;
}

function discovered(kernel: KernelLike, owner: KernelPackage): DiscoveredKernel {
  return {
    name: kernel.kernel,
    package: owner,
    gemm: kernel,
    variants: kernel.variants instanceof Map ? kernel.variants : new Map([['default', kernel as Gemm]]),
    definition: kernel.definition,
    with:
      typeof kernel.with === 'function'
        ? (params) => (kernel.with as (p: Params) => Gemm)(params)
        : undefined,
  };
}

function refuseTwins(kernels: readonly KernelLike[], module: string): void {
  const seen = new Set<string>();
  for (const { kernel } of kernels) {
    if (seen.has(kernel)) {
      throw new UnavailableError(`${module} exports the kernel ${kernel} twice.`, {
        remedy: 'Give each kernel of a package its own name.',
      });
    }
    seen.add(kernel);
  }
}

/** The experiments that a module exports. One that contradicts itself is a fault of it alone. */
function experimentsOf(exported: unknown, owner: KernelPackage, module: string) {
  const experiments: DiscoveredExperiment[] = [];
  const faults: string[] = [];
  if (exported !== undefined && !Array.isArray(exported)) {
    return { experiments, faults: [`${module} exports experiments that are no array.`] };
  }
  for (const experiment of (exported ?? []) as Experiment[]) {
    try {
      checkExperiment(experiment);
      experiments.push({ experiment, package: owner });
    } catch (error) {
      faults.push(sentenceOf(error));
    }
  }
  return { experiments, faults };
}

/** What a kernel package exports. */
export interface LoadedPackage {
  readonly kernels: readonly DiscoveredKernel[];
  readonly experiments: readonly DiscoveredExperiment[];
  /** What is wrong with its experiments, as sentences. */
  readonly faults: readonly string[];
}

/**
 * Imports a kernel package and returns its kernels and experiments.
 * @throws UnavailableError where it is not built or exports no kernels; whatever its own code throws.
 */
export async function loadKernelPackage(folder: string, json: PackageJson): Promise<LoadedPackage> {
  const name = json.name ?? folder;
  const module = json.ffma?.kernels ?? '';
  const path = join(folder, module);
  if (!existsSync(path)) {
    throw new UnavailableError(`It is not built: ${module} does not exist.`, {
      remedy: `Run the build script of ${name}.`,
    });
  }
  const real = realpathSync(folder);
  const exported = (await import(pathToFileURL(realpathSync(path)).href)) as {
    kernels?: unknown;
    experiments?: unknown;
    doctor?: unknown;
  };
  const { kernels, doctor } = exported;
  if (!Array.isArray(kernels)) {
    throw new UnavailableError(`${module} exports no array named kernels.`, {
      remedy: 'Add: export const kernels = [...];',
    });
  }
  const owner: KernelPackage = {
    name,
    version: json.version ?? '0.0.0',
    folder: real,
    manifest: readManifest(real),
    ...(typeof doctor === 'function' ? { doctor: doctor as NonNullable<KernelPackage['doctor']> } : {}),
  };
  const checked = kernels.map((value, i) => asKernel(value, `kernels[${i}] of ${module}`));
  refuseTwins(checked, module);
  return {
    kernels: checked.map((kernel) => discovered(kernel, owner)),
    ...experimentsOf(exported.experiments, owner, module),
  };
}
