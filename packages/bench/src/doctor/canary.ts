import type { Device } from '@ffma/core';
import { verifyGemm } from '@ffma/verify';
import type { SelectedKernel } from '../discover/select.js';

/** Whether products on a device keep all 24 bits of a float32, as one sentence. */
export interface Canary {
  /** Undefined where nothing could be run. */
  readonly passed: boolean | undefined;
  readonly kernel: string | undefined;
  readonly sentence: string;
}

const shape = { m: 64, n: 64, k: 256 };

/** Multiplies data that TF32 gets wrong, by the first kernel that runs on the device. */
export async function tf32Canary(device: Device, kernels: readonly SelectedKernel[]): Promise<Canary> {
  const reasons: string[] = [];
  for (const { gemm } of kernels) {
    const report = await verifyGemm(device, gemm, { cases: [{ shape, data: 'canary' }] });
    if (report.outcome === 'passed') {
      return {
        passed: true,
        kernel: gemm.id,
        sentence: `passed: ${gemm.id} keeps every bit that TF32 would drop`,
      };
    }
    const ran = report.cases.some((one) => one.gates.length > 0);
    if (ran)
      return {
        passed: false,
        kernel: gemm.id,
        sentence: `FAILED: ${report.cases[0]?.sentence ?? report.sentence}`,
      };
    reasons.push(report.cases[0]?.sentence ?? report.sentence);
  }
  const why = reasons[0] ?? 'no kernel package was found';
  return { passed: undefined, kernel: undefined, sentence: `not run: ${why}` };
}
