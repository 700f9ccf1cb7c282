import { expect, test } from 'vitest';
import { cublasSection } from './doctor.js';
import { mathOverrides } from './math-overrides.js';

const none = { found: false, path: undefined, version: undefined, overrides: [] };

test('a library that was found is its version and its file', () => {
  const report = {
    ...none,
    found: true,
    path: '/opt/libcublas.so.13',
    version: '13.1.0',
    attempts: ['/a is old.'],
  };
  expect(cublasSection(report)).toEqual({ title: 'cuBLAS', lines: ['13.1.0, /opt/libcublas.so.13'] });
});

test('where none was found, every attempt is a line; what is forced from outside is one too', () => {
  const overrides = mathOverrides({ NVIDIA_TF32_OVERRIDE: '1' });
  const { lines } = cublasSection({ ...none, attempts: ['/a is old.', '/b holds no cuBLAS.'], overrides });
  expect(lines).toEqual([
    'not available.',
    '/a is old.',
    '/b holds no cuBLAS.',
    expect.stringMatching(/^NVIDIA_TF32_OVERRIDE=1: TF32 is forced.*\.$/),
  ]);
});
