import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, test } from 'vitest';
import { bfeByRegister, bitForms } from './support/bit-forms.js';
import { integerForms } from './support/integer-forms.js';
import { checkForm } from './support/run-form.js';

const device = new EmulatorDevice({ cache: false });
afterAll(() => device.close());

describe('integer instructions', () => {
  for (const form of integerForms) test(form.text, () => checkForm(device, form));
});

describe('bit instructions', () => {
  for (const form of [...bitForms, ...bfeByRegister]) {
    test([form.text, form.suffix].filter(Boolean).join(' '), () => checkForm(device, form));
  }
});

test('a last group that lacks lanes', async () => {
  for (const form of integerForms.filter(({ text }) => /^(add|mul.wide|div|shr|min)\..32/.test(text))) {
    await checkForm(device, form, [61]);
  }
});
