import { type Device, openDevice, packageRootOf, readManifest, type Variant } from '@ffma/core';
import { findToolchains } from '@ffma/core/compile';
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
  const noCompiler = {
    reason: 'There is no CUDA compiler, which what was not built, or has sizes compiled in, needs.',
    lacks: 'a CUDA compiler',
  };
  const meta = noGpu ?? (compiling && !compiles ? noCompiler : undefined);
  if (meta === undefined) describe(title, register);
  else describe(title, { skip: true, meta }, register);
}
