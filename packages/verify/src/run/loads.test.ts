import { expect, test } from 'vitest';
import { FakeDevice } from '../test-support/fake-device.js';
import { JsGemm } from '../test-support/js-gemm.js';
import { kernel } from '../test-support/js-kernels.js';
import { Loads } from './loads.js';

const size = (n: number) => ({ m: n, n, k: n });
const idOf = (loads: Loads, n: number) => {
  const picked = loads.pick(size(n));
  if ('refusal' in picked) throw picked.refusal;
  return picked.gemm;
};

/** Lets everything go on that can. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a kernel that takes any size is loaded once', async () => {
  let count = 0;
  const gemm = new JsGemm(kernel(), { onLoad: () => count++ });
  using loads = new Loads(new FakeDevice(), gemm);
  expect(idOf(loads, 1)).toBe(gemm);
  expect(await loads.load(idOf(loads, 1))).toBe(await loads.load(idOf(loads, 2)));
  expect(count).toBe(1);
});

test('sizes are loaded ahead, so many at a time, each once', async () => {
  const gemm = new JsGemm(kernel(), { sized: true, needs: { multiples: { m: 2 } } });
  const loads = new Loads(new FakeDevice(), gemm);
  const begun: string[] = [];
  loads.loadAhead([2, 4, 4, 5, 6].map(size), ({ id }) => begun.push(id), 2);
  expect(begun).toEqual(['js_m2_n2_k2', 'js_m4_n4_k4']);
  await settled();
  expect(begun).toEqual(['js_m2_n2_k2', 'js_m4_n4_k4', 'js_m6_n6_k6']);
  expect(await loads.load(idOf(loads, 4))).toBe(await loads.load(idOf(loads, 4)));
  expect(gemm.opened).toBe(3);
  loads.close();
  expect(gemm.opened).toBe(0);
});

test('what goes wrong ahead is told where it is needed', async () => {
  const gemm = new JsGemm(kernel(), {
    sized: true,
    onLoad: () => {
      throw new RangeError('no such size');
    },
  });
  using loads = new Loads(new FakeDevice(), gemm);
  loads.loadAhead([size(2)]);
  await settled();
  await expect(loads.load(idOf(loads, 2))).rejects.toThrow('no such size');
});

test('closing closes what is still on its way, and begins no more', async () => {
  const gemm = new JsGemm(kernel(), { sized: true });
  const loads = new Loads(new FakeDevice(), gemm);
  const begun: string[] = [];
  loads.loadAhead([2, 4, 6].map(size), ({ id }) => begun.push(id), 1);
  loads.close();
  await settled();
  expect(begun).toEqual(['js_m2_n2_k2']);
  expect(gemm.opened).toBe(0);
});

test('a case that was left running keeps its kernel until it is done', async () => {
  const gemm = new JsGemm(kernel());
  const loads = new Loads(new FakeDevice(), gemm);
  await loads.load(gemm);
  let done = () => {};
  loads.leaveOpenUntil(
    new Promise<void>((resolve) => {
      done = resolve;
    }),
  );
  loads.close();
  expect(gemm.opened).toBe(1);
  done();
  await settled();
  expect(gemm.opened).toBe(0);
});
