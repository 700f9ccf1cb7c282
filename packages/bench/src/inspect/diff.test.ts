import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { DiscoveredKernel } from '../discover/kernel-package.js';
import { renderKernelDiff } from '../render/inspect-diff.js';
import { plain } from '../render/style.js';
import { discoveryOf, fakeKernel, selected } from '../test-support/fake-kernel.js';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { diffKernel } from './diff.js';
import { diffLines, withContext } from './line-diff.js';
import { mixChanges, ptxMix } from './ptx-mix.js';

const shown = (from: string, to: string) =>
  diffLines(from, to).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

test('as little is removed and added as can be', () => {
  expect(shown('a\nb\nc', 'a\nx\nc')).toEqual([' a', '-b', '+x', ' c']);
  expect(shown('a', 'a')).toEqual([' a']);
  expect(shown('', 'a')).toEqual(['-', '+a']);
  expect(shown('a\nb\nc\nd', 'b\nc\ne\nd').filter((line) => line[0] !== ' ')).toEqual(['-a', '+e']);
});

test('what is far from every change is left out', () => {
  const lines = diffLines('1\n2\n3\n4\n5\n6\n7', '1\n2\n3\nx\n5\n6\n7');
  expect(withContext(lines, 1).map((line) => line?.text ?? null)).toEqual([null, '3', '4', 'x', '5', null]);
});

test('instructions of PTX are counted by what they do, not by what they work on', () => {
  const mix = ptxMix(`
.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred 	%p<4>;
	ld.param.u64 	%rd1, [k_param_0];
	// fma.rn.f32 in a comment;
$L__BB0_2:
	@%p1 bra 	$L__BB0_2;
	fma.rn.f32 	%f3, %f1, %f2, %f3;
	fma.rn.f32 	%f4, %f1, %f2, %f4;
	ld.shared.v4.f32 	{%f1, %f2, %f5, %f6}, [%r1+16];
	cp.async.cg.shared.global [%r1], [%rd1], 16;
	ret;
}`);
  expect(Object.fromEntries(mix)).toEqual({
    'ld.param': 1,
    bra: 1,
    'fma.rn': 2,
    'ld.shared.v4': 1,
    'cp.async.cg.shared.global': 1,
    ret: 1,
  });
  expect(
    mixChanges(
      new Map([
        ['add', 3],
        ['ret', 1],
      ]),
      new Map([
        ['ret', 1],
        ['mov', 9],
      ]),
    ),
  ).toEqual([
    { instruction: 'mov', base: 0, own: 9 },
    { instruction: 'add', base: 3, own: 0 },
    { instruction: 'ret', base: 1, own: 1 },
  ]);
});

function withSource(kernel: DiscoveredKernel, path: string): DiscoveredKernel {
  return { ...kernel, definition: { ...kernel.definition!, source: pathToFileURL(path) } };
}

test('a kernel is set beside its base; without PTX that is said; without a base there is nothing to compare', async () => {
  using folder = temporaryFolder({ 'a.cu': 'one\ntwo\n', 'b.cu': 'one\r\nthree\r\n' });
  const base = withSource(fakeKernel('k01'), `${folder.path}/a.cu`);
  const own = withSource(fakeKernel('k02', { basedOn: 'k01' }), `${folder.path}/b.cu`);
  const discovery = discoveryOf(base, own);
  const diff = await diffKernel(discovery, selected(own));
  expect(diff).toMatchObject({
    base: { id: 'k01_bm32' },
    ptx: undefined,
    noPtx: expect.stringMatching(/No PTX/),
  });
  const lines = renderKernelDiff(diff, plain, 80);
  expect(lines).toEqual(expect.arrayContaining([' one', '-two', '+three']));
  await expect(diffKernel(discovery, selected(base))).rejects.toThrow(/k01 is based on no other kernel/);
  await expect(diffKernel(discoveryOf(own), selected(own))).rejects.toThrow(
    /based on k01, which no package here has/,
  );
});
