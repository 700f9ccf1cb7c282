import { expect, test } from 'vitest';
import { kernelModule, kernelPackageJson, temporaryFolder } from '../src/test-support/kernel-folders.js';
import { ffma } from './ffma.js';

const config = `import { defineConfig, parseSize } from '@ffma/bench';

const wide: number = 96;

export default defineConfig({
  bench: { device: 'emulator', kernels: ['k01'], sizes: [parseSize('32'), \`8x\${wide}x16\`] },
  suites: { mine: [64] },
});
`;

const files = {
  'package.json': kernelPackageJson('own'),
  'kernels.js': kernelModule({ name: 'k01' }, { name: 'k02' }),
  'ffma.config.ts': config,
};

async function planIn(folder: string, ...argv: string[]) {
  const { code, stdout, stderr } = await ffma(['bench', '--dry-run', '--json', '-', ...argv], folder);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('a typed configuration is read where @ffma/bench is not installed beside it', async () => {
  using folder = temporaryFolder(files);
  const plan = await planIn(folder.path);
  expect(plan.sizes.map(({ size }: { size: object }) => size)).toEqual([
    { m: 32, n: 32, k: 32 },
    { m: 8, n: 96, k: 16 },
  ]);
  expect(plan.sizes[0].kernels.map(({ id }: { id: string }) => id)).toEqual(['k01_bm32']);
  const over = await planIn(folder.path, '--suite', 'mine', 'k02');
  expect(over.sizes.map(({ size }: { size: { m: number } }) => size.m)).toEqual([64]);
  expect(over.sizes[0].kernels[0].id).toBe('k02_bm32');
});

test('what is wrong with it is one line with the file and the field', async () => {
  using folder = temporaryFolder({ ...files, 'ffma.config.ts': config.replace("'emulator'", "'gpu'") });
  const { code, stderr } = await ffma(['bench', '--dry-run'], folder.path);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: ffma\.config\.ts: bench\.device is "gpu"\. .*\n$/);
});
