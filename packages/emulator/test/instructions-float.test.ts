import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, test } from 'vitest';
import { convertForms } from './support/convert-forms.js';
import { floatForms } from './support/float-forms.js';
import { comparisonForms, predicateForms } from './support/predicate-forms.js';
import { checkForm } from './support/run-form.js';

const device = new EmulatorDevice({ cache: false });
afterAll(() => device.close());

describe('floating-point instructions', () => {
  for (const form of floatForms) test(form.text, () => checkForm(device, form));
});

describe('conversions', () => {
  for (const form of convertForms) test(form.text, () => checkForm(device, form));
});

describe('comparisons and predicates', () => {
  for (const form of [...comparisonForms, ...predicateForms]) test(form.text, () => checkForm(device, form));
});
