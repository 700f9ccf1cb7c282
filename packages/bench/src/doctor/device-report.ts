import { type DeviceKind, openBenchDevice } from '../device/open-bench-device.js';
import type { SelectedKernel } from '../discover/select.js';
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
    }
  | { readonly kind: DeviceKind; readonly available: false; readonly reason: string };

/** Opens a device, asks it what it is and puts the canary before it; or says in a sentence why it cannot be used. */
export async function reportDevice(
  kind: 'cuda' | 'emulator',
  kernels: readonly SelectedKernel[],
): Promise<DeviceReport> {
  try {
    await using device = await openBenchDevice({ kind });
    return { kind, available: true, facts: deviceFacts(device), canary: await tf32Canary(device, kernels) };
  } catch (error) {
    return { kind, available: false, reason: sentenceOf(error) };
  }
}
