import { createHash } from 'node:crypto';
import type { EmulatorDevice } from '@ffma/emulator';
import { bitForms } from './bit-forms.js';
import { convertForms } from './convert-forms.js';
import { roundedConvertForms } from './convert-rounded-forms.js';
import { floatForms } from './float-forms.js';
import { halfForms } from './half-forms.js';
import type { Form } from './instruction-form.js';
import { InstructionKernel, inputsOf } from './instruction-kernel.js';
import { integerForms } from './integer-forms.js';
import { moreIntegerForms } from './integer-more-forms.js';
import { comparisonForms, predicateForms } from './predicate-forms.js';
import { roundedForms } from './rounded-forms.js';
import { runPtx } from './run-ptx.js';
import { oneNaN, type Scalar } from './scalar-values.js';

/** Every form of every instruction that the tables of tests have. */
export const allForms: readonly Form[] = [
  ...integerForms,
  ...bitForms,
  ...floatForms,
  ...convertForms,
  ...comparisonForms,
  ...predicateForms,
  ...roundedForms,
  ...halfForms,
  ...roundedConvertForms,
  ...moreIntegerForms,
];

/** One name of a form: its text, and its immediates where it has some. */
export const formName = ({ text, suffix }: Form): string =>
  suffix === undefined ? text : `${text} …, ${suffix}`;

/** The output with one NaN for all: payloads differ between processors. */
export function withOneNaN(out: BigUint64Array, result: Scalar): BigUint64Array {
  for (let i = 0; i < out.length; i++) out[i] = oneNaN(result, out[i]!);
  return out;
}

/** Digest of what a form's kernel leaves in memory, in every use, with one NaN for all. */
export async function digestOf(device: EmulatorDevice, form: Form): Promise<string> {
  const kernel = new InstructionKernel(form);
  const { varying, uniform } = inputsOf(kernel);
  const out = new BigUint64Array(kernel.outputs);
  await runPtx(device, kernel.ptx, { grid: kernel.grid, block: 64, args: [varying, uniform, out] });
  return createHash('sha256').update(withOneNaN(out, form.result)).digest('hex');
}

/** What the recorder on the GPU host reads for a form. */
export function recorderCase(form: Form, expected: string) {
  const kernel = new InstructionKernel(form);
  const { varying, uniform } = inputsOf(kernel);
  const base64 = (values: BigUint64Array) => Buffer.from(values.buffer).toString('base64');
  return {
    text: formName(form),
    result: form.result,
    ptx: kernel.ptx,
    grid: kernel.grid,
    varying: base64(varying),
    uniform: base64(uniform),
    outputs: kernel.outputs,
    expected,
  };
}
