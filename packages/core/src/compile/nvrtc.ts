import type { Compiler, Found } from './compiler.js';

/** NVRTC, through the CUDA addon. */
export async function findNvrtc(): Promise<Found<Compiler>> {
  return { reason: 'NVRTC is reached through the CUDA addon, which this build of @ffma/core does not have.' };
}
