import { describe, expect, it } from 'vitest';
import {
  ArgumentError,
  ClosedError,
  CompileError,
  DeviceLostError,
  errorFromJson,
  FfmaError,
  type FfmaErrorJson,
  IntegrityError,
  isFfmaError,
  KernelFaultError,
  OutOfMemoryError,
  UnavailableError,
  UnsupportedError,
} from './errors.js';

const options = { remedy: 'Do this.', native: 'CUDA_ERROR_X', call: 'cuX', details: { n: 3 } };
const all: readonly FfmaError[] = [
  new ArgumentError('a', options),
  new CompileError('b'),
  new DeviceLostError('c', options),
  new IntegrityError('d', { details: { expected: 'x' } }),
  new OutOfMemoryError('e', { call: 'cuMemAlloc' }),
  new UnavailableError('f', { remedy: 'Install it.' }),
  new UnsupportedError('g'),
  new ClosedError('buffer'),
  new KernelFaultError('out-of-bounds', 'h', {
    kernel: 'k01',
    block: [0, 1, 2],
    thread: [3, 4, 5],
    ptxLine: 7,
  }),
];

describe('errors', () => {
  it.each(all.map((error) => [error.code, error] as const))(
    '%s survives JSON and structured cloning',
    (_, error) => {
      for (const json of [
        JSON.parse(JSON.stringify(error)),
        structuredClone(error.toJSON()),
      ] as FfmaErrorJson[]) {
        const copy = errorFromJson(json);
        expect(copy).toBeInstanceOf(FfmaError);
        expect(copy.toJSON()).toEqual({ ...error.toJSON(), name: copy.name });
        expect(copy.message).toBe(error.message);
        expect(copy.remedy).toBe(error.remedy);
      }
    },
  );

  it('keeps the place of a fault', () => {
    const copy = errorFromJson(JSON.parse(JSON.stringify(all.at(-1))) as FfmaErrorJson);
    expect(copy).toBeInstanceOf(KernelFaultError);
    expect((copy as KernelFaultError).kind).toBe('out-of-bounds');
    expect((copy as KernelFaultError).place).toEqual({
      kernel: 'k01',
      block: [0, 1, 2],
      thread: [3, 4, 5],
      ptxLine: 7,
    });
  });

  it('puts the remedy behind the message, once', () => {
    const error = new ArgumentError('It is wrong.', { remedy: 'Make it right.' });
    expect(error.message).toBe('It is wrong. Make it right.');
    expect(errorFromJson(error.toJSON()).message).toBe('It is wrong. Make it right.');
  });

  it('has a distinct stable code for every class', () => {
    expect(new Set(all.map(({ code }) => code)).size).toBe(all.length);
  });

  it('carries the cause', () => {
    const cause = new Error('underneath');
    expect(new UnavailableError('x', { cause }).cause).toBe(cause);
  });

  it.each(['FFMA_OF_TOMORROW', 'toString'])('keeps the code %s, which it does not know', (code) => {
    const copy = errorFromJson({ name: 'NewError', code, message: 'x' } as unknown as FfmaErrorJson);
    expect(copy).toBeInstanceOf(FfmaError);
    expect([copy.code, copy.message]).toEqual([code, 'x']);
  });

  it('are known by their shape, whichever copy of the package made them', () => {
    const foreign = Object.assign(new Error('x'), { code: 'FFMA_ARGUMENT', toJSON: () => ({}) });
    for (const error of [...all, foreign]) expect(isFfmaError(error)).toBe(true);
    const others = [
      new Error('x'),
      Object.assign(new Error('x'), { code: 'ENOENT' }),
      undefined,
      null,
      'FFMA_',
    ];
    for (const other of others) expect(isFfmaError(other)).toBe(false);
  });
});
