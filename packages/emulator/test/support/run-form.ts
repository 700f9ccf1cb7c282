import type { EmulatorDevice } from '@ffma/emulator';
import { expect } from 'vitest';
import type { Form } from './instruction-form.js';
import { InstructionKernel, inputsOf } from './instruction-kernel.js';
import { runPtx } from './run-ptx.js';

/** Runs a form in every use and compares each thread's result with the model. */
export async function checkForm(
  device: EmulatorDevice,
  form: Form,
  blocks: readonly number[] = [64],
): Promise<void> {
  const kernel = new InstructionKernel(form);
  const { varying, uniform } = inputsOf(kernel);
  for (const block of blocks) {
    const out = new BigUint64Array(kernel.outputs);
    await runPtx(device, kernel.ptx, { grid: kernel.grid, block, args: [varying, uniform, out] });
    expect(kernel.differences(out, block), form.text).toEqual([]);
  }
}
