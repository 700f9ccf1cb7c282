import { type Device, openDevice } from '@ffma/core';
import { findCublas } from '@ffma/cublas-ref';
import { test } from 'vitest';

async function reason(): Promise<string | undefined> {
  try {
    await using _ = await openDevice('cuda');
  } catch (error) {
    return (error as Error).message;
  }
  const { found, attempts } = await findCublas();
  return found ? undefined : attempts.join(' ');
}

/** Why these tests cannot run here, as a sentence; undefined where there is a GPU and cuBLAS. */
export const missing = await reason();

export const openGpu = (): Promise<Device> => openDevice('cuda');

/** Registers tests where they can run, else one that is skipped with the reason. */
export function onGpu(title: string, register: () => void): void {
  if (missing === undefined) register();
  else test(title, ({ skip }) => skip(missing));
}
