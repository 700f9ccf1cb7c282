import { describe, expect, it } from 'vitest';
import { FakeDevice } from '../../test/support/fake-device.js';
import type { Gemm, GemmOperands } from './gemm.js';
import { multiply } from './multiply.js';
import { type GemmShape, gemmProblem } from './problem.js';

/** A GEMM that leaves C as it found it, and remembers what it was asked. */
function recorder() {
  const asked: { shape: GemmShape; operands: GemmOperands }[] = [];
  const gemm = {
    load: async () => ({
      prepare: (shape: GemmShape, operands: GemmOperands) => {
        asked.push({ shape, operands });
        return { problem: gemmProblem(shape), enqueue: () => undefined, [Symbol.dispose]: () => undefined };
      },
      [Symbol.dispose]: () => undefined,
    }),
  };
  return { asked, gemm: gemm as unknown as Gemm };
}

const ones = (length: number) => new Float32Array(length).fill(1);

describe('multiply', () => {
  it('allocates for the operands, hands them over, and frees everything', async () => {
    const device = new FakeDevice();
    const { asked, gemm } = recorder();
    const c = await multiply(device.asDevice, gemm, ones(6), ones(12), { m: 2, n: 4, k: 3 });
    expect(c).toEqual(new Float32Array(8));
    expect(asked[0]?.shape).toEqual({ m: 2, n: 4, k: 3 });
    expect(device.open.size).toBe(0);
  });

  it('fills in sizes where the kernel waits for them', async () => {
    const { asked, gemm } = recorder();
    const filled: unknown[] = [];
    const open = {
      open: true,
      forShape(sizes: unknown) {
        filled.push(sizes);
        return gemm;
      },
    } as unknown as Gemm;
    await multiply(new FakeDevice().asDevice, open, ones(6), ones(12), { m: 2, n: 4, k: 3, alpha: 2 });
    expect(filled).toEqual([{ m: 2, n: 4, k: 3 }]);
    expect(asked).toHaveLength(1);
  });

  it('starts from a copy of C, padding included', async () => {
    const { gemm } = recorder();
    const initial = Float32Array.from({ length: 7 }, (_, i) => i);
    const c = await multiply(new FakeDevice().asDevice, gemm, ones(2), ones(2), {
      m: 2,
      n: 2,
      k: 1,
      ldc: 5,
      beta: 1,
      c: initial,
    });
    expect([...c]).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(c).not.toBe(initial);
  });

  it.each([
    [5, 12, {}, /A is 2×3 with leading dimension 3, so it needs 6 elements, but has 5/],
    [6, 11, {}, /B is 3×4 with leading dimension 4, so it needs 12 elements, but has 11/],
    [6, 12, { beta: 1 }, /beta is 1, so C is read, but options\.c is missing/],
    [6, 12, { beta: 1, c: ones(7) }, /C is 2×4/],
  ])('refuses A of %i and B of %i elements with %j', async (a, b, options, message) => {
    const { gemm } = recorder();
    const product = multiply(new FakeDevice().asDevice, gemm, ones(a), ones(b), {
      m: 2,
      n: 4,
      k: 3,
      ...options,
    });
    await expect(product).rejects.toThrow(message);
  });

  it('refuses arrays of another type', async () => {
    const { gemm } = recorder();
    const doubles = new Float64Array(6) as unknown as Float32Array;
    await expect(
      multiply(new FakeDevice().asDevice, gemm, doubles, ones(12), { m: 2, n: 4, k: 3 }),
    ).rejects.toThrow(/A must be a Float32Array/);
  });

  it.each<[unknown, string, RegExp]>([
    [undefined, 'FFMA_ARGUMENT', /needs options, at least \{ m, n, k \}, but got undefined/],
    [{ m: 2, n: 4, k: 3, Lda: 3 }, 'FFMA_ARGUMENT', /has no option Lda; it has m, n, k/],
    [{ m: 2, n: 4, k: 3, transA: true }, 'FFMA_ARGUMENT', /has no option transA.*not transposed/],
    [{ m: 2 ** 31 - 1, n: 2 ** 31 - 1, k: 0 }, 'FFMA_OUT_OF_MEMORY', /do not fit into one array/],
  ])('refuses the options %o with a typed error', async (options, code, message) => {
    const { gemm } = recorder();
    const product = multiply(new FakeDevice().asDevice, gemm, ones(6), ones(12), options as never);
    await expect(product).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([undefined, 5, { kind: 'cuda' }])('needs a device and a kernel, not %o', async (other) => {
    const { gemm } = recorder();
    const device = new FakeDevice().asDevice;
    const options = { m: 2, n: 4, k: 3 };
    await expect(multiply(other as never, gemm, ones(6), ones(12), options)).rejects.toMatchObject({
      code: 'FFMA_ARGUMENT',
      message: expect.stringMatching(/multiply needs a device, but got/),
    });
    await expect(multiply(device, other as never, ones(6), ones(12), options)).rejects.toMatchObject({
      code: 'FFMA_ARGUMENT',
      message: expect.stringMatching(/multiply needs a kernel, but got/),
    });
  });
});
