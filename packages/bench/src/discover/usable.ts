import type { Device } from '@ffma/core';
import { hasFfmaCode } from '../error-sentence.js';
import type { SelectedKernel } from './select.js';

/** A kernel that nobody named and that cannot be used here, and why, as a sentence. */
export interface LeftOut {
  readonly kernel: SelectedKernel;
  readonly reason: string;
}

async function whyUnusable(device: Device, { gemm }: SelectedKernel): Promise<string | undefined> {
  try {
    using _ = await gemm.load(device, { compile: true });
    return undefined;
  } catch (error) {
    // Whatever else it throws is a fault of it alone: it stays, and fails by itself.
    if (!hasFfmaCode(error) || !['FFMA_UNAVAILABLE', 'FFMA_UNSUPPORTED'].includes(error.code))
      return undefined;
    const { message, remedy } = error as Error & { readonly remedy?: string };
    return remedy !== undefined && message.endsWith(remedy)
      ? message.slice(0, -remedy.length).trimEnd()
      : message;
  }
}

/**
 * Leaves out the references that nobody asked for by name and that this device, or this machine, cannot run: a
 * library that is not installed is no fault of the kernels beside it. Whatever was named stays, and fails by itself.
 */
export async function usableOn(device: Device, selected: readonly SelectedKernel[]) {
  const usable: SelectedKernel[] = [];
  const leftOut: LeftOut[] = [];
  for (const kernel of selected) {
    const optional = kernel.gemm.role === 'reference' && kernel.named !== true;
    const reason = optional ? await whyUnusable(device, kernel) : undefined;
    if (reason === undefined) usable.push(kernel);
    else leftOut.push({ kernel, reason });
  }
  return { usable, leftOut } as { readonly usable: SelectedKernel[]; readonly leftOut: LeftOut[] };
}
