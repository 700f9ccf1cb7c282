import type { CaseResult, VerifyReport } from '@ffma/verify';
import { expect, test } from 'vitest';
import { correctnessOf } from './summary.js';

function reportOf(cases: readonly Partial<CaseResult>[], ended?: VerifyReport['ended']): VerifyReport {
  const whole = cases.map((one) => ({ name: 'case', status: 'failed', gates: [], sentence: 'why', ...one }));
  return {
    cases: whole,
    counts: { asked: 2, passed: 0, failed: cases.length, refused: 0 },
    outcome: 'failed',
    ended,
    sentence: 'It failed.',
  } as unknown as VerifyReport;
}

const error = (code: string) => ({ name: 'Error', code, message: 'why' }) as CaseResult['error'] & object;
const gate = { gate: 'exact', decides: true, passed: false } as CaseResult['gates'][number];

test.each<[string, VerifyReport]>([
  ['loaded', reportOf([], { by: 'load', error: error('FFMA_UNSUPPORTED') })],
  ['declared', reportOf([], { by: 'declaration', error: error('FFMA_ARGUMENT') })],
  ['prepared', reportOf([{ error: error('FFMA_OUT_OF_MEMORY') }, { error: error('FFMA_OUT_OF_MEMORY') }])],
])('what could not be %s did not run', (_, report) => {
  expect(correctnessOf(report)).toMatchObject({ status: 'failed', ran: false });
});

test.each<[string, VerifyReport]>([
  ['has a wrong result', reportOf([{ gates: [gate] }])],
  [
    'has one wrong result among errors',
    reportOf([{ error: error('FFMA_OUT_OF_MEMORY') }, { gates: [gate] }]),
  ],
  ['reads out of bounds', reportOf([{ error: error('FFMA_KERNEL_FAULT') }])],
  ['takes the device down', reportOf([{ error: error('FFMA_DEVICE_LOST') }], { by: 'device-lost' } as never)],
  ['never ends', reportOf([{}], { by: 'timeout' } as never)],
])('what %s ran', (_, report) => {
  expect(correctnessOf(report)).not.toHaveProperty('ran');
});
