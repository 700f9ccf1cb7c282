import { readFileSync, writeFileSync } from 'node:fs';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { allForms, digestOf, formName, recorderCase } from './support/golden-forms.js';

interface Recording {
  readonly device: string;
  readonly results: Readonly<Record<string, string>>;
}

const recording = JSON.parse(
  readFileSync(new URL('./golden/h200.json', import.meta.url), 'utf8'),
) as Recording;
const device = new EmulatorDevice({ fma: 'f64' });
afterAll(() => device.close());

/** Names a file: the cases are written there for the recorder on a GPU host (see golden/README.md). */
const target = process.env.FFMA_WRITE_GOLDEN_CASES;

describe('every instruction has the bits that a GPU gave, in every use', () => {
  test('every form has a name of its own, and the recording has no other', async () => {
    if (target !== undefined) {
      const cases = [];
      for (const form of allForms) cases.push(recorderCase(form, await digestOf(device, form)));
      writeFileSync(target, JSON.stringify(cases));
    }
    const names = allForms.map(formName);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(Object.keys(recording.results)));
  });

  for (const form of allForms) {
    const wanted = recording.results[formName(form)];
    test.skipIf(wanted === undefined)(formName(form), async () => {
      expect(await digestOf(device, form)).toBe(wanted);
    });
  }
});
