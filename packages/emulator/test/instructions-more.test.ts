import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, test } from 'vitest';
import { roundedConvertForms } from './support/convert-rounded-forms.js';
import { halfForms } from './support/half-forms.js';
import { moreIntegerForms } from './support/integer-more-forms.js';
import { roundedForms } from './support/rounded-forms.js';
import { checkForm } from './support/run-form.js';

const device = new EmulatorDevice({ cache: false });
afterAll(() => device.close());

describe.each([
  ['floats with other roundings, flushed and saturated', roundedForms],
  ['floats of 16 bits', halfForms],
  ['conversions with other roundings, and of 16-bit floats', roundedConvertForms],
  ['integers of several sizes in a word, and rarely used ones', moreIntegerForms],
])('%s', (_, forms) => {
  for (const form of forms) test(form.text, () => checkForm(device, form));
});
