import { describe, expect, it } from 'vitest';
import { gemmSignature } from '../gemm/kernel-definition.js';
import { entryText } from './entry.js';

const main = { symbol: 'k00_bm8', fn: 'gemm', signature: gemmSignature, threads: 64 };

describe('entryText', () => {
  it('passes parameters by name and arguments in order', () => {
    const text = entryText(
      'kernels/k00/kernel.cu',
      { BM: 8, SPREAD: false },
      { threads: 64, sharedBytes: 0 },
      [main],
    );
    expect(text).toContain('#include "kernels/k00/kernel.cu"\n');
    expect(text).toContain('  static constexpr int BM = 8;\n  static constexpr bool SPREAD = false;\n');
    expect(text).toContain('  static constexpr int threads = 64;\n  static constexpr int sharedBytes = 0;\n');
    expect(text).toContain('extern "C" __global__ void __launch_bounds__(64) k00_bm8(');
    expect(text).toContain('gemm<P>(a, b, c, m, n, k, lda, ldb, ldc, alpha, beta);');
  });

  it('gives each argument the C++ type of its kind', () => {
    const signature = [
      { name: 'x', type: 'in' },
      { name: 'y', type: 'out' },
      { name: 'z', type: 'ptr' },
      { name: 'i', type: 'i32' },
      { name: 'l', type: 'i64' },
      { name: 'f', type: 'f32' },
    ] as const;
    const text = entryText('k.cu', {}, {}, [{ symbol: 's', fn: 'f', signature, threads: 1 }]);
    const types = [
      'const float* __restrict__ x',
      'float* __restrict__ y',
      'void* z',
      'int i',
      'long long l',
      'float f',
    ];
    expect(text).toContain(types.map((type) => `    ${type}`).join(',\n'));
  });

  it('passes where a tensor map lies, by the name that PTX has for the parameter', () => {
    const signature = [
      { name: 'k', type: 'i32' },
      { name: 'tiles', type: 'tensorMap' },
    ] as const;
    const text = entryText('k.cu', {}, {}, [{ symbol: 's', fn: 'f', signature, threads: 1 }]);
    expect(text).toContain('    const __grid_constant__ ffma::tensor_map tiles) {\n');
    expect(text).toContain('  f<P>(k, FFMA_PARAMETER(tiles, s_param_1));');
    expect(entryText('k.cu', {}, {}, [main])).not.toContain('FFMA_PARAMETER');
  });

  it('generates every entry with its own bound', () => {
    const text = entryText('k.cu', {}, {}, [main, { ...main, symbol: 'k00_zero', fn: 'zero', threads: 256 }]);
    expect(text.match(/__launch_bounds__\(\d+\) \w+/g)).toEqual([
      '__launch_bounds__(64) k00_bm8',
      '__launch_bounds__(256) k00_zero',
    ]);
  });

  it.each([
    [{ 'B-M': 1 }, /parameter name must be a C identifier, but is 'B-M'/],
    [{ BM: 0.5 }, /Parameter BM must be a 32-bit integer.*0\.5/],
    [{ BM: 2 ** 31 }, /Parameter BM must be a 32-bit integer/],
    [{ threads: 3 }, /threads is derived/],
  ])('refuses %j', (params, message) => {
    expect(() => entryText('k.cu', params, { threads: 1 }, [main])).toThrow(message);
  });

  it('refuses a symbol that is no identifier', () => {
    expect(() => entryText('k.cu', {}, {}, [{ ...main, symbol: '8x8' }])).toThrow(/device symbol.*'8x8'/);
  });
});
