import { expect, test } from 'vitest';
import { renderChecked } from '../render/experiment-list.js';
import { plain } from '../render/style.js';
import { experimentDiscovery } from '../test-support/timed-experiment.js';
import { UsageError } from '../usage-error.js';
import { checkExperimentRows } from './check.js';
import { findExperiment } from './find.js';

const discovery = experimentDiscovery();
const found = findExperiment(discovery, 'two-by-two');
const withRows = (rows: typeof found.experiment.rows) => ({
  ...found,
  experiment: { ...found.experiment, rows, pairs: [] },
});

test('every row is there, with its sizes filled in', () => {
  const checked = checkExperimentRows(discovery, found);
  expect(checked.passed).toBe(true);
  expect(checked.rows.map(({ row, size, ids }) => [row, size.n, ids])).toEqual([
    ['neither', 8, ['k01_bm32']],
    ['both', 8, ['k02_bm32', 'k03_bm32']],
    ['library', 8, ['lib_bm32']],
    ['neither', 6, ['k01_bm32']],
    ['both', 6, ['k02_bm32', 'k03_bm32']],
    ['sized', 6, ['k04_bm32_6x6x6']],
    ['library', 6, ['lib_bm32']],
  ]);
  const text = renderChecked(found.experiment, checked, plain, 80).join('\n');
  expect(text).toMatch(/^✓ both at 8³, 6³: k02_bm32, k03_bm32$/m);
  expect(text).toMatch(/✓ sized at 6³: k04_bm32_6x6x6/);
  expect(text).toMatch(/note {2}The row elsewhere is left out/);
  expect(text).toMatch(/All is there: 7 rows of 5 kernels\.$/);
});

test('a size that a kernel does not take is said, with the kernel’s own sentence', () => {
  const refusing = experimentDiscovery({ k03: { refuses: 'm must be a multiple of 16, but is 8.' } });
  const checked = checkExperimentRows(refusing, findExperiment(refusing, 'two-by-two'));
  expect(checked.passed).toBe(false);
  expect(checked.rows.find(({ row }) => row === 'both')?.problems).toEqual([
    'k03_bm32: m must be a multiple of 16, but is 8.',
  ]);
  const odd = checkExperimentRows(discovery, withRows([{ name: 'sized', kernel: 'k04' }]), {
    sizes: [{ m: 7, n: 7, k: 7 }],
  });
  expect(odd.rows[0]?.problems).toEqual([expect.stringMatching(/k04_bm32: k must be a multiple of 2/)]);
});

test('a row whose kernel does not exist is named', () => {
  const missing = withRows([{ name: 'typo', kernel: 'k1' }]);
  expect(() => checkExperimentRows(discovery, missing)).toThrow(UsageError);
  expect(() => checkExperimentRows(discovery, missing)).toThrow(
    /Row typo of experiment two-by-two cannot be measured: There is no kernel 'k1'/,
  );
  const variant = withRows([{ name: 'typo', kernel: 'k01/wide', optional: true }]);
  expect(checkExperimentRows(discovery, variant).notes[0]).toMatch(/k01 has no variant 'wide'/);
});

test('a row can ask for what has the sizes compiled in, or for what has not', () => {
  const kernel = ['k01', 'k04'];
  const rows = [
    { name: 'generic', kernel, specialised: false },
    { name: 'sized', kernel, specialised: true },
  ];
  const experiment = { ...found.experiment, sizes: [6], rows, pairs: [], conclude: () => [] };
  const { rows: checked } = checkExperimentRows(discovery, { ...found, experiment });
  expect(checked.map(({ row, ids }) => [row, ids])).toEqual([
    ['generic', ['k01_bm32']],
    ['sized', ['k04_bm32_6x6x6']],
  ]);
  const none = withRows([{ name: 'sized', kernel: 'k01', specialised: true }]);
  expect(() => checkExperimentRows(discovery, none)).toThrow(
    /Row sized of experiment two-by-two cannot be measured: None of .* has the sizes of a problem compiled in/,
  );
});

test('a package that an experiment needs beside its own is named, with what to do', () => {
  const needing = { ...found, experiment: { ...found.experiment, packages: ['@x/ladder', '@x/other'] } };
  expect(() => checkExperimentRows(discovery, needing)).toThrow(
    /two-by-two also measures kernels of @x\/other, which are not here\. Run npm install -D @x\/other\.$/,
  );
  const broken = [{ name: '@x/other', folder: '/nowhere', reason: 'It is not built.' }];
  expect(() => checkExperimentRows({ ...discovery, broken }, needing)).toThrow(
    /@x\/other is not usable: It is not built\.$/,
  );
  const installed = {
    ...discovery,
    packages: [...discovery.packages, { ...found.package, name: '@x/other' }],
  };
  expect(checkExperimentRows(installed, needing).passed).toBe(true);
});

test('conclusions that are no sentences are found without a GPU', () => {
  const { experiment } = found;
  const saying = (conclude: typeof experiment.conclude) =>
    checkExperimentRows(discovery, { ...found, experiment: { ...experiment, conclude } });
  expect(saying(() => [`It is ${Number.NaN} % faster.`])).toMatchObject({
    passed: false,
    notes: [expect.anything(), "Its conclude() says 'It is NaN % faster.'."],
  });
  expect(saying((measured) => [`${measured[0]?.us('nothing')}`]).notes.at(-1)).toMatch(
    /Its conclude\(\) (throws: At 8³ there is no row 'nothing'|says 'undefined')/,
  );
});

test('an experiment is found by name, with its package where that is needed', () => {
  expect(findExperiment(discovery, '@x/ladder/two-by-two')).toBe(found);
  expect(() => findExperiment(discovery, 'two-by-tow')).toThrow(/Did you mean two-by-two\?/);
  expect(() => findExperiment(discovery, 'ladder')).toThrow(/There are two-by-two\./);
  const twice = {
    ...discovery,
    experiments: [found, { ...found, package: { ...found.package, name: 'other' } }],
  };
  expect(() => findExperiment(twice, 'two-by-two')).toThrow(
    /in several packages: @x\/ladder\/two-by-two, other/,
  );
  expect(findExperiment(twice, 'other/two-by-two').package.name).toBe('other');
});
