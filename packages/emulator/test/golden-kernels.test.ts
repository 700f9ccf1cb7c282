import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { withOneNaN } from './support/golden-forms.js';
import { type GoldenKernel, THREADS } from './support/golden-kernel.js';
import { goldenKernels } from './support/golden-kernels.js';
import { runGolden } from './support/run-golden.js';

const file = new URL('./golden/h200-kernels.json', import.meta.url);
const recorded: Readonly<Record<string, string>> = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8')).results
  : {};
const device = new EmulatorDevice({ fma: 'f64' });
afterAll(() => device.close());

/** Names a file: the cases are written there for the recorder on a GPU host (see golden/README.md). */
const target = process.env.FFMA_WRITE_GOLDEN_KERNELS;

async function digestOf(kernel: GoldenKernel): Promise<string> {
  const out = await runGolden(device, kernel);
  return createHash('sha256').update(withOneNaN(out, kernel.result)).digest('hex');
}

async function recorderCase(kernel: GoldenKernel) {
  const base64 = (values: BigUint64Array) => Buffer.from(values.buffer).toString('base64');
  return {
    text: kernel.name,
    result: kernel.result,
    ptx: kernel.ptx,
    grid: 4,
    varying: base64(kernel.input),
    uniform: base64(new BigUint64Array(1)),
    outputs: kernel.outputs * THREADS,
    ...(kernel.map === undefined ? {} : { map: kernel.map }),
    expected: await digestOf(kernel),
  };
}

describe('memory and warps have the bits that a GPU gave', () => {
  test('every kernel has a name of its own, and the recording has no other', async () => {
    if (target !== undefined) {
      const cases = [];
      for (const kernel of goldenKernels) cases.push(await recorderCase(kernel));
      writeFileSync(target, JSON.stringify(cases));
    }
    const names = goldenKernels.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(Object.keys(recorded)));
  });

  for (const kernel of goldenKernels) {
    const wanted = recorded[kernel.name];
    test.skipIf(wanted === undefined)(kernel.name, async () => {
      expect(await digestOf(kernel)).toBe(wanted);
    });
  }
});
