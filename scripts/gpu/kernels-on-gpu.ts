import {
  type DefinedKernel,
  type Device,
  openDevice,
  packageRootOf,
  readManifest,
  type Variant,
} from '@ffma/core';
import { findToolchains } from '@ffma/core/compile';
import { describeConformance } from '@ffma/verify/vitest';
import { describe } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why it is skipped, as a sentence. */
    reason?: string;
    /** What the host lacks beside a GPU. */
    lacks?: string;
  }
}

const noGpu = await openDevice('cuda').then(
  (device) => device.close(),
  (error: Error) => ({ reason: error.message }),
);
const compiles = (await findToolchains()).some(({ available }) => available);
const noCompiler = {
  reason: 'There is no CUDA compiler, which what was not built, or has sizes compiled in, needs.',
  lacks: 'a CUDA compiler',
};

export const openGpu = (): Promise<Device> => openDevice('cuda');

/** Whether a variant can be loaded without a compiler. */
export function isBuilt({ id, open, definition }: Variant): boolean {
  const artefacts = readManifest(packageRootOf(definition.source))?.artefacts ?? [];
  return !open && artefacts.some((artefact) => artefact.id === id);
}

/**
 * Registers tests, which are skipped with the reason where there is no GPU, or where they compile and there is no
 * compiler.
 */
export function onGpu(title: string, register: () => void, { compiling = false } = {}): void {
  const meta = noGpu ?? (compiling && !compiles ? noCompiler : undefined);
  if (meta === undefined) describe(title, register);
  else describe(title, { skip: true, meta }, register);
}

/**
 * Registers the conformance of a package's kernels on the GPU: default variants in full, the others by the quick cases.
 * What runs is what ships: machine code where it was made for this GPU, else PTX through the driver's JIT. What was not
 * built (all but the default variants in a workspace; what has sizes compiled in, everywhere) is compiled.
 */
export function conformanceOnGpu(kernels: readonly DefinedKernel[]): void {
  const defaults = kernels.map((kernel) => kernel.variant('default'));
  const others = kernels.flatMap(({ variants }) => [...variants.values()].slice(1));
  const unbuilt = [...defaults, ...others].filter((variant) => !isBuilt(variant));
  const options = { device: openGpu, variants: 'default' } as const;
  onGpu('kernels on a GPU', () =>
    describeConformance(defaults.filter(isBuilt), { ...options, label: 'default variants' }),
  );
  onGpu('variants on a GPU', () =>
    describeConformance(others.filter(isBuilt), { ...options, label: 'other variants', level: 'quick' }),
  );
  if (unbuilt.length === 0) return;
  const compiled = { label: 'not built', level: 'quick', load: { compile: true }, timeout: 120_000 } as const;
  onGpu('compiled on a GPU', () => describeConformance(unbuilt, { ...options, ...compiled }), {
    compiling: true,
  });
}
