import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { Scratch } from '../../test/support/fake-tools.js';
import { sampleKernel } from '../../test/support/sample-kernel.js';
import { defineKernel } from './define-kernel.js';
import {
  readTuned,
  sizeClass,
  type TunedEntry,
  tunedName,
  tunedPath,
  tunedText,
  withTuned,
} from './tuned.js';

const cube = (n: number) => ({ m: n, n, k: n });
const entry = (more: Partial<TunedEntry> = {}): TunedEntry => ({
  gpu: 'NVIDIA H200',
  size: cube(4096),
  params: { BM: 64, STAGES: 3, PREFETCH: true },
  ratio: 1.25,
  reference: 'library',
  at: '2026-11-30T20:00:00.000Z',
  ...more,
});

/** A kernel whose source stands in a built package, with the files given. */
function kernelIn(scratch: Scratch, files: Readonly<Record<string, string>>) {
  scratch.file('package.json', '{}');
  for (const [name, text] of Object.entries(files)) scratch.file(name, text);
  const source = pathToFileURL(`${scratch.path}/dist/kernels/k90/kernel.cu`);
  return { ...sampleKernel().definition, source };
}

test('sizes of a class differ by less than a factor of √2 in each extent', () => {
  expect(sizeClass(cube(4096))).toBe('4096');
  expect(sizeClass(cube(4000))).toBe('4096');
  expect(sizeClass({ m: 4096, n: 60, k: 5000 })).toBe('4096x64x4096');
  expect(sizeClass(cube(1500))).toBe('2048');
});

test('names are those of the GPU and the size class', () => {
  expect(tunedName(entry())).toBe('tuned_h200_4096');
  expect(tunedName(entry({ gpu: 'NVIDIA GeForce RTX 4090', size: cube(1000) }))).toBe('tuned_rtx-4090_1024');
});

test('an entry takes the place of that of the same GPU and class, and no other', () => {
  const other = entry({ size: cube(1024) });
  const a100 = entry({ gpu: 'NVIDIA A100' });
  const next = entry({ size: cube(4000), ratio: 2 });
  const all = [entry(), other, a100].reduce<TunedEntry[]>((list, one) => withTuned(list, one), []);
  expect(withTuned(all, next)).toEqual([a100, other, next]);
});

test('a kernel has the variants of the file beside the original of its source', () => {
  using scratch = new Scratch();
  const definition = kernelIn(scratch, {
    'dist/kernels/k90/kernel.cu': '',
    'dist/kernels/k90/tuned.json': 'an old copy',
    'kernels/k90/tuned.json': tunedText('k90', [entry()]),
  });
  const kernel = defineKernel(definition);
  expect(kernel.variant('tuned_h200_4096').id).toBe('k90_bm64_s3_prefetch');
  expect(tunedPath(definition.source)).toBe(`${scratch.path}/kernels/k90/tuned.json`);
});

test('of a package without originals, the copy is read; a variant that is declared already stays what it is', () => {
  using scratch = new Scratch();
  const definition = kernelIn(scratch, {
    'dist/kernels/k90/kernel.cu': '',
    'dist/kernels/k90/tuned.json': tunedText('k90', [
      entry({ params: { BM: 32, STAGES: 2, PREFETCH: false } }),
    ]),
  });
  expect(readTuned(definition)).toHaveLength(1);
  expect([...defineKernel(definition).variants.keys()]).toEqual([...sampleKernel().variants.keys()]);
});

test('a source in no package is read, too', () => {
  using scratch = new Scratch();
  scratch.file('kernel.cu', '');
  scratch.file('tuned.json', tunedText('k90', [entry()]));
  const source = pathToFileURL(`${scratch.path}/kernel.cu`);
  expect(readTuned({ name: 'k90', source })).toEqual([entry()]);
});

test.each([
  ['{', /is no JSON/],
  [tunedText('k91', []), /its kernel must be k90, but is "k91"/],
  ['{"schemaVersion":2}', /schemaVersion must be 1, but is 2/],
  [tunedText('k90', [{ ...entry(), size: { m: 0, n: 1, k: 1 } }]), /tuned\[0\] must have a gpu, a size/],
])('%s is refused with its path', (text, message) => {
  using scratch = new Scratch();
  const definition = kernelIn(scratch, { 'dist/kernels/k90/kernel.cu': '', 'kernels/k90/tuned.json': text });
  expect(() => defineKernel(definition)).toThrow(message);
});

test('parameters that a rule refuses are refused as those of any variant', () => {
  using scratch = new Scratch();
  const text = tunedText('k90', [entry({ params: { BM: 31 } })]);
  const definition = kernelIn(scratch, { 'dist/kernels/k90/kernel.cu': '', 'kernels/k90/tuned.json': text });
  expect(() => defineKernel(definition)).toThrow(/k90_bm31\S* breaks/);
});
