import { expect, test } from 'vitest';
import { FakeDevice } from './test-support/fake-device.js';
import { JsGemm } from './test-support/js-gemm.js';
import { kernel } from './test-support/js-kernels.js';
import { describeClaims, describeConformance } from './vitest.js';

const device = new FakeDevice();
const plain = new JsGemm(kernel(), { name: 'plain' });
const tiled = new JsGemm(kernel(), { name: 'tiled', needs: { multiples: { m: 8 }, alignment: 16 } });
const sized = new JsGemm(kernel(), { name: 'sized', sized: true });
const family = Object.assign(new JsGemm(kernel(), { name: 'family' }), {
  variants: new Map([
    ['default', plain],
    ['tiled', tiled],
    ['sized', sized],
  ]),
});

describeConformance([family], {
  device: () => device,
  level: (gemm) => (gemm === sized ? 'full' : 'quick'),
  label: 'on a fake device',
});

const counted: string[] = [];
describeClaims(
  [
    Object.assign(new JsGemm(kernel(), { name: 'claims' }), {
      name: 'claims',
      definition: {
        claims: [
          {
            sentence: 'Counts are kept',
            at: { m: 1, n: 1, k: 1 },
            holds: (own: { value: (n: string) => number }) => own.value('x') === 1,
          },
        ],
      },
    }),
  ],
  {
    countersOf: async (gemm) => {
      counted.push(gemm.id);
      return { value: () => 1 };
    },
  },
);

test('what was registered has run, on a device that was closed', () => {
  expect(device.closed).toBe(true);
  expect(device.open).toBe(0);
  expect(plain.opened + tiled.opened + sized.opened).toBe(0);
  expect(counted).toEqual(['claims']);
});
