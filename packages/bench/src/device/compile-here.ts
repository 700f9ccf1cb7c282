import type { Device, GemmLoadOptions } from '@ffma/core';
import { findToolchains } from '@ffma/core/compile';
import { isTiming } from '../timing/timing-device.js';

/** Whether something on this machine compiles kernels. */
export async function compilerAtHand(): Promise<boolean> {
  return (await findToolchains()).some(({ available }) => available);
}

/**
 * Whether variants that were not built are compiled: as asked, else on a GPU, where what is to be measured is known,
 * wherever there is a compiler. Elsewhere an unbuilt variant is refused, because whoever counts wants what is shipped.
 */
export async function compilesHere(device: Device, asked: boolean | undefined): Promise<boolean> {
  return asked ?? (isTiming(device) && (await compilerAtHand()));
}

/** Leaves the kernel its own default where nobody asks for compiling: sizes that are filled in are compiled anyway. */
export function loadOptions(compile: boolean): GemmLoadOptions {
  return compile ? { compile } : {};
}
