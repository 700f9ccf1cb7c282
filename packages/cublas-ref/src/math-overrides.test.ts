import { expect, test } from 'vitest';
import { describeOverride, mathOverrides } from './math-overrides.js';

test('nothing is overridden by an environment that says nothing', () => {
  expect(mathOverrides({})).toEqual([]);
  expect(mathOverrides({ NVIDIA_TF32_OVERRIDE: '', PATH: '/bin' })).toEqual([]);
});

test('TF32 that is forced loses bits; TF32 that is forbidden does not', () => {
  const [on] = mathOverrides({ NVIDIA_TF32_OVERRIDE: '1' });
  expect(on).toMatchObject({ lossy: true, variable: 'NVIDIA_TF32_OVERRIDE' });
  expect(describeOverride(on!)).toMatch(/^NVIDIA_TF32_OVERRIDE=1: TF32 is forced/);
  expect(mathOverrides({ NVIDIA_TF32_OVERRIDE: '0' })).toMatchObject([{ lossy: false, value: '0' }]);
});

test('emulated float32 is reported as well', () => {
  const both = mathOverrides({ NVIDIA_TF32_OVERRIDE: '0', CUBLAS_EMULATE_SINGLE_PRECISION: '1' });
  expect(both.map(({ lossy }) => lossy)).toEqual([false, true]);
});
