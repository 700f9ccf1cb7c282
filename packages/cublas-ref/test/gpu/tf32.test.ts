import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { GemmArtefact } from '@ffma/core';
import { kernels } from '@ffma/cublas-ref';
import { expect, test } from 'vitest';
import { onGpu } from './support/gpu.js';

interface Canary {
  readonly outcome: string;
  readonly artefact: GemmArtefact;
  readonly gates: readonly { gate: string; passed: boolean; failures: number }[];
  readonly elements: number;
}

const script = fileURLToPath(new URL('support/canary-child.mjs', import.meta.url));

function canary(id: string, override?: string): Canary {
  const { NVIDIA_TF32_OVERRIDE: _, ...env } = process.env;
  const set = override === undefined ? env : { ...env, NVIDIA_TF32_OVERRIDE: override };
  return JSON.parse(execFileSync(process.execPath, [script, id], { env: set, encoding: 'utf8' }));
}

onGpu('TF32 is off unless it is forced', () => {
  for (const { id } of kernels) {
    test(`${id} keeps every bit that TF32 would drop`, () => {
      for (const override of [undefined, '0']) {
        const { outcome, artefact } = canary(id, override);
        expect(outcome).toBe('passed');
        expect(artefact.mathMode).toBe(id === 'cublas' ? 'fp32' : 'fp32-pedantic');
      }
    });
  }

  test('the canary fails where TF32 is forced, and the artefact says so', () => {
    const { outcome, artefact, gates, elements } = canary('cublas', '1');
    expect(outcome).toBe('failed');
    const exact = gates.find(({ gate }) => gate === 'exact');
    expect(exact?.failures).toBeGreaterThan(0.9 * elements);
    expect(artefact).toMatchObject({
      mathMode: 'tf32',
      compiler: expect.stringContaining('NVIDIA_TF32_OVERRIDE=1'),
    });
  });

  test('pedantic math is FP32 even where TF32 is forced', () => {
    const { outcome, artefact } = canary('cublas_pedantic', '1');
    expect(outcome).toBe('passed');
    expect(artefact).toMatchObject({
      mathMode: 'fp32-pedantic',
      compiler: expect.stringContaining('NVIDIA_TF32_OVERRIDE=1 is set'),
    });
  });
});
