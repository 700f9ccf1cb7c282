import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { UsageError } from '../usage-error.js';
import { configNames, findConfig, loadConfig } from './load-config.js';

const whole = `{
  bench: {
    kernels: ['k01', 'k02/wide'],
    device: 'cuda',
    sizes: [64, '8x16x32', 'b4x64', { m: 1, n: 2, k: 3 }, { m: 1, n: 2, k: 3, batch: 5 }],
    suite: 'mine',
    alpha: 0.5, beta: -1, reference: 'none', launches: 7,
    untilCi: '2%', maxRounds: 50, timeLimit: '1.5m',
    l2: 'warm', graph: true, allVariants: true, compile: true, uuid: true,
  },
  suites: { mine: ['128', 256] },
}`;

const read = {
  kernels: ['k01', 'k02/wide'],
  device: 'cuda',
  sizes: [
    { m: 64, n: 64, k: 64 },
    { m: 8, n: 16, k: 32 },
    { m: 64, n: 64, k: 64, batch: 4 },
    { m: 1, n: 2, k: 3 },
    { m: 1, n: 2, k: 3, batch: 5 },
  ],
  suite: 'mine',
  alpha: 0.5,
  beta: -1,
  reference: 'none',
  launches: 7,
  untilCi: 0.02,
  maxRounds: 50,
  timeLimit: 90_000,
  l2: 'warm',
  graph: true,
  allVariants: true,
  compile: true,
  uuid: true,
};

test.each(configNames)('%s of the folder is found and read', async (name) => {
  using folder = temporaryFolder({ [name]: `export default ${whole};` });
  const config = await loadConfig(folder.path);
  expect(config.file).toBe(join(folder.path, name));
  expect(config.bench).toEqual(read);
  expect(config.suites.mine).toHaveLength(2);
});

test('types and imports of other files are read', async () => {
  using folder = temporaryFolder({
    'sizes.ts': 'export const sizes: readonly number[] = [32];',
    'ffma.config.ts': `import { sizes } from './sizes.js';
import type { FfmaConfig } from '@ffma/bench';
const config: FfmaConfig = { bench: { sizes: [...sizes, 64 satisfies number] } };
export default config;`,
  });
  const { bench } = await loadConfig(folder.path);
  expect(bench.sizes?.map(({ m }) => m)).toEqual([32, 64]);
});

test('without one there is nothing, and one that is named has to be there', async () => {
  using folder = temporaryFolder({ 'other/own.mjs': 'export default { bench: { rounds: 3 } };' });
  expect(await loadConfig(folder.path)).toEqual({ file: undefined, bench: {}, suites: {} });
  expect((await loadConfig(folder.path, 'other/own.mjs')).bench).toEqual({ rounds: 3 });
  await expect(loadConfig(folder.path, 'gone.ts')).rejects.toThrow(
    `There is no configuration gone.ts. It is looked for as ${join(folder.path, 'gone.ts')}.`,
  );
  mkdirSync(join(folder.path, 'ffma.config.ts'));
  expect(findConfig(folder.path)).toBeUndefined();
});

test('of several nobody knows which one is meant', () => {
  using folder = temporaryFolder({ 'ffma.config.ts': '', 'ffma.config.mjs': '' });
  expect(() => findConfig(folder.path)).toThrow(
    'There are several configurations here: ffma.config.ts, ffma.config.mjs. Keep one',
  );
});

async function faultOf(content: string): Promise<string> {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'ffma.config.ts'), content);
  const error = await loadConfig(folder.path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message;
}

test.each([
  ['{ bench: { rounds: 0 } }', /^ffma\.config\.ts: bench\.rounds is 0\. .*>=1/],
  ['{ bench: { rounds: "many" } }', /^ffma\.config\.ts: bench\.rounds is "many"\. .*expected number/],
  ['{ bench: { launchs: 3 } }', /^ffma\.config\.ts: bench\.launchs is no field .* Did you mean launches\?$/],
  ['{ banch: {} }', /^ffma\.config\.ts: banch is no field .* Did you mean bench\?$/],
  ['{ bench: { qqqqq: 1 } }', /bench\.qqqqq is no field of a configuration\. There are kernels, device, /],
  [
    '{ bench: { sizes: ["1x2"] } }',
    /^ffma\.config\.ts: bench\.sizes\[0\]: A size is one number .* but is '1x2'/,
  ],
  ['{ bench: { sizes: [64, { m: 1, n: 2 }] } }', /^ffma\.config\.ts: bench\.sizes\[1\]\.k is missing\./],
  [
    '{ bench: { sizes: [{ m: 1, n: 2, k: 3, batch: 0 }] } }',
    /^ffma\.config\.ts: bench\.sizes\[0\]\.batch is 0\./,
  ],
  ['{ bench: { sizes: [true] } }', /^ffma\.config\.ts: bench\.sizes\[0\] is true\./],
  ['{ bench: { sizes: [] } }', /^ffma\.config\.ts: bench\.sizes is \[\]\./],
  [
    '{ bench: { untilCi: "5" } }',
    /^ffma\.config\.ts: bench\.untilCi: It must be a share such as 1% or 0\.01/,
  ],
  ['{ bench: { timeLimit: "soon" } }', /^ffma\.config\.ts: bench\.timeLimit: It must be a span of time/],
  ['{ bench: { l2: "hot" } }', /^ffma\.config\.ts: bench\.l2 is "hot"\. .*"cold"\|"warm"/],
  ['{ suites: { mine: [64, "x"] } }', /^ffma\.config\.ts: suites\.mine\[1\]: A size is/],
  ['[]', /^ffma\.config\.ts exports no configuration as its default\. Write in ffma\.config\.ts: export/],
  ['7', /^ffma\.config\.ts exports no configuration/],
])('%s is refused with the file and the field', async (content, sentence) => {
  expect(await faultOf(`export default ${content};`)).toMatch(sentence);
});

test('many faults are not all listed', async () => {
  const message = await faultOf(
    'export default { bench: { a: 1, b: 1, c: 1, d: 1, e: 1, rounds: 0, launches: 0 } };',
  );
  expect(message.length).toBeLessThan(900);
  expect(
    await faultOf('export default { bench: { rounds: 0, launches: 0, maxRounds: 0, alpha: "", beta: "" } };'),
  ).toMatch(/And 2 more\.$/);
});

test('what does not even load is said with the file', async () => {
  expect(await faultOf('export default {')).toMatch(/^ffma\.config\.ts cannot be loaded: /);
  expect(await faultOf('throw new Error("no luck");')).toMatch(
    /^ffma\.config\.ts cannot be loaded: no luck$/,
  );
  expect(await faultOf("import './gone.js'; export default {};")).toMatch(/cannot be loaded: .*gone\.js/);
  expect(await faultOf('export const bench = {};')).toMatch(/exports no configuration/);
});
