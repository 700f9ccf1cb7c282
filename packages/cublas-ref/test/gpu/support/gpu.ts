import { type Device, openDevice } from '@ffma/core';
import { findCublas } from '@ffma/cublas-ref';
import { describe } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why it is skipped, as a sentence. */
    reason?: string;
    /** What the host lacks beside a GPU. */
    lacks?: string;
  }
}

/** Why these tests cannot run here, as a sentence, and what it is for want of; undefined where they can. */
async function obstacle(): Promise<{ reason: string; lacks?: string } | undefined> {
  try {
    await using _ = await openDevice('cuda');
  } catch (error) {
    return { reason: (error as Error).message };
  }
  const { found, attempts } = await findCublas();
  return found ? undefined : { reason: attempts.join(' '), lacks: 'cuBLAS' };
}

const missing = await obstacle();

export const openGpu = (): Promise<Device> => openDevice('cuda');

/** Registers tests, which are skipped with the reason where there is no GPU or no cuBLAS. */
export function onGpu(title: string, register: () => void): void {
  if (missing === undefined) describe(title, register);
  else describe(title, { skip: true, meta: missing }, register);
}
