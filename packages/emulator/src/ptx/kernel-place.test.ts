import { describe, expect, it } from 'vitest';
import type { SourcePlace } from './ast.js';
import { kernelPlace } from './kernel-place.js';

/** A chain of places, innermost first: `ffma/fma.cuh:9 < k/kernel.cu:41`. */
function places(text: string): SourcePlace {
  const [place, ...outer] = text.split(' < ');
  const [file, line] = place!.split(':');
  const here = { file: file!, line: Number(line) };
  return outer.length === 0 ? here : { ...here, inlinedAt: places(outer.join(' < ')) };
}

describe('the line of the kernel’s own source', () => {
  it.each([
    ['a line of the kernel', 'k/kernel.cu:41 < entry.cu:23', 'k/kernel.cu:41'],
    [
      'a primitive in a primitive',
      'ffma/fma.cuh:9 < ffma/epilogue.cuh:11 < k/kernel.cu:49 < entry.cu:23',
      'k/kernel.cu:49',
    ],
    ['a function of the kernel', 'k/kernel.cu:12 < k/kernel.cu:41 < entry.cu:23', 'k/kernel.cu:12'],
    [
      'a header of the kernel',
      'ffma/vec.cuh:19 < common/tile.cuh:7 < k/kernel.cu:41 < entry.cu:23',
      'common/tile.cuh:7',
    ],
    ['no chain', 'k/kernel.cu:41', 'k/kernel.cu:41'],
    ['a primitive without a chain', 'ffma/epilogue.cuh:11', 'ffma/epilogue.cuh:11'],
    ['an entry around a primitive', 'ffma/zero.cuh:5 < entry.cu:23', 'ffma/zero.cuh:5'],
    ['the entry alone', 'entry.cu:11', 'entry.cu:11'],
    ['a kernel in a folder named alike', 'k/entry.cu:7 < entry.cu:23', 'k/entry.cu:7'],
  ])('%s', (_, chain, own) => {
    const { file, line } = kernelPlace(places(chain));
    expect(`${file}:${line}`).toBe(own);
  });

  it('drops the chain', () => {
    expect(kernelPlace(places('k/kernel.cu:41 < entry.cu:23'))).toEqual({ file: 'k/kernel.cu', line: 41 });
  });
});
