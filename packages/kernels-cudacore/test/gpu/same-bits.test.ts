import { type Device, multiply, openDevice, type Variant } from '@ffma/core';
import { kernels } from '@ffma/kernels-cudacore';
import { Random } from '@ffma/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt, onGpu, openGpu } from '../../../../scripts/gpu/kernels-on-gpu.js';

/** Extents before they are rounded up to what a kernel takes: one tile or less, several, a long k. */
const sizes = [
  [1, 1, 1],
  [61, 67, 71],
  [128, 128, 64],
  [200, 300, 100],
  [37, 41, 1031],
] as const;

function fitted({ needs: { multiples = {} } }: Variant, [m, n, k]: (typeof sizes)[number]) {
  const up = (value: number, multiple = 1) => Math.ceil(value / multiple) * multiple;
  return { m: up(m, multiples.m), n: up(n, multiples.n), k: up(k, multiples.k) };
}

/** Values whose sums round at nearly every step, so that another order or an unfused step shows. */
function uniform(length: number, seed: number): Float32Array {
  const random = new Random(seed);
  return Float32Array.from({ length }, () => random.uniform());
}

const bits = (values: Float32Array) => Buffer.from(values.buffer, values.byteOffset, values.byteLength);

onGpu('the same bits as the emulator', () => {
  let gpu: Device;
  let emulator: Device;
  beforeAll(async () => {
    gpu = await openGpu();
    emulator = await openDevice('emulator');
  });
  afterAll(async () => {
    await gpu?.[Symbol.asyncDispose]();
    await emulator?.[Symbol.asyncDispose]();
  });

  const variants = kernels.map((kernel) => kernel.variant('default'));
  for (const variant of variants.filter((each) => isBuilt(each) && each.exactness === 'k-order')) {
    describe(variant.id, () => {
      for (const size of sizes) {
        const { m, n, k } = fitted(variant, size);
        test(`${m}×${n}×${k}`, async () => {
          const [a, b, c] = [uniform(m * k, 1), uniform(k * n, 2), uniform(m * n, 3)] as const;
          const options = { m, n, k, alpha: 1.7, beta: -0.3, c };
          const [computed, emulated] = await Promise.all(
            [gpu, emulator].map((device) => multiply(device, variant, a, b, options)),
          );
          expect(bits(computed as Float32Array).equals(bits(emulated as Float32Array))).toBe(true);
          expect(new Set(computed).size).toBeGreaterThan((m * n) / 2);
        });
      }
    });
  }
});
