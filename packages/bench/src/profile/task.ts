import type { Device } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { SelectedKernel } from '../discover/select.js';
import { asVariant } from '../inspect/as-variant.js';
import { planOf } from '../inspect/plan-of.js';

/** A multiplication to profile. */
export interface ProfileTask {
  readonly kernel: SelectedKernel;
  readonly size: Size;
  /** Device symbols of its launches in order; undefined for a library, which is asked by a trial. */
  readonly symbols: readonly string[] | undefined;
  /** Index of the launch that multiplies. */
  readonly main: number | undefined;
  /** Why it is not profiled, as a sentence. */
  readonly refusal: string | undefined;
}

type PlanningDevice = Pick<Device, 'name' | 'arch' | 'limits'>;

/** What a kernel would launch at a size, from its declaration alone. */
export function taskOf(kernel: SelectedKernel, size: Size, device: PlanningDevice): ProfileTask {
  const variant = asVariant(kernel.gemm);
  if (variant === undefined) {
    const refusal = kernel.gemm.refusal(size);
    return { kernel, size, symbols: undefined, main: undefined, refusal };
  }
  const artefacts = (kernel.kernel.package.manifest?.artefacts ?? []).filter(
    ({ id }) => id === kernel.gemm.id,
  );
  const { launches, refusal } = planOf(variant, size, device, artefacts);
  const main = launches.findIndex(({ entry }) => entry === 'main');
  return {
    kernel,
    size,
    symbols: launches.map(({ symbol }) => symbol),
    main: main < 0 ? undefined : main,
    refusal,
  };
}
