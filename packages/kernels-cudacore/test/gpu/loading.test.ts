import { kernels } from '@ffma/kernels-cudacore';
import { expect, test } from 'vitest';
import { isBuilt, onGpu, openGpu } from '../../../../scripts/gpu/kernels-on-gpu.js';

/** Milliseconds: reading, checking and loading machine code, and looking its kernel up. */
const LIMIT = 10;

onGpu('loading', () => {
  test(`a kernel's machine code takes less than ${LIMIT} ms`, async ({ task, skip }) => {
    await using device = await openGpu();
    const built = kernels.map((kernel) => kernel.variant('default')).filter(isBuilt);
    const took: { id: string; first: number; later: number }[] = [];
    for (const variant of built) {
      const ms: number[] = [];
      for (let i = 0; i < 5; i++) {
        const start = performance.now();
        using loaded = await variant.load(device);
        ms.push(performance.now() - start);
        if (loaded.artefact.ranAs !== 'cubin') {
          task.meta.lacks = 'machine code';
          skip(
            `${variant.id} was built for ${loaded.artefact.arch}: there is no machine code for ${device.arch}.`,
          );
        }
      }
      const [first = 0, ...others] = ms;
      took.push({ id: variant.id, first, later: others.sort((x, y) => x - y)[2] as number });
    }
    for (const { id, first, later } of took)
      console.log(`load ${id}: first ${first.toFixed(2)} ms, then ${later.toFixed(2)} ms`);
    expect(took.length).toBe(built.length);
    // The very first finds the driver's own code cold.
    for (const { id, first, later } of took) {
      expect(later, id).toBeLessThan(LIMIT);
      if (id !== took[0]?.id) expect(first, id).toBeLessThan(LIMIT);
    }
  });
});
