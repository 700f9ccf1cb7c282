import type { Device } from '@ffma/core';
import { type DeviceKind, openBenchDevice } from '../device/open-bench-device.js';
import type { SelectedKernel } from '../discover/select.js';
import { usableOn } from '../discover/usable.js';
import { sentenceOf } from '../error-sentence.js';
import { deviceFacts } from '../result/provenance.js';
import type { DeviceFacts } from '../result/schema.js';
import { type Canary, tf32Canary } from './canary.js';

export type DeviceReport =
  | {
      readonly kind: DeviceKind;
      readonly available: true;
      readonly facts: DeviceFacts;
      readonly canary: Canary;
      /** Of each reference that runs there: a library has a mind of its own about TF32. */
      readonly references: readonly Canary[];
    }
  | { readonly kind: DeviceKind; readonly available: false; readonly reason: string };

async function canaries(device: Device, kernels: readonly SelectedKernel[]) {
  const isReference = ({ gemm }: SelectedKernel) => gemm.role === 'reference';
  const canary = await tf32Canary(
    device,
    kernels.filter((one) => !isReference(one)),
  );
  const references: Canary[] = [];
  const { usable } = await usableOn(device, kernels.filter(isReference));
  for (const reference of usable) references.push(await tf32Canary(device, [reference]));
  return { canary, references };
}

/** Opens a device, asks it what it is and puts the canary before it; or says in a sentence why it cannot be used. */
export async function reportDevice(
  kind: 'cuda' | 'emulator',
  kernels: readonly SelectedKernel[],
): Promise<DeviceReport> {
  try {
    await using device = await openBenchDevice({ kind });
    return {
      kind,
      available: true,
      facts: deviceFacts(device, { uuid: true }),
      ...(await canaries(device, kernels)),
    };
  } catch (error) {
    return { kind, available: false, reason: sentenceOf(error) };
  }
}

/** True where a product lost bits that float32 has. */
export function lostBits(report: DeviceReport): boolean {
  return report.available && [report.canary, ...report.references].some(({ passed }) => passed === false);
}
