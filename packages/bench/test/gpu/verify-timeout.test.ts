import { openDevice } from '@ffma/core';
import { expect, test } from 'vitest';
import { ffma } from '../ffma.js';
import { hangingPackage } from '../hanging-package.js';

/** Why this test cannot run here; undefined where there is a GPU. */
const missing = await openDevice('cuda').then(
  (device) => device.close(),
  (error: Error) => error.message,
);

/** Takes this many nanoseconds: it ends by itself, so that nothing can hang the machine. */
const spin = `.version 7.0
.target sm_80
.address_size 64
.visible .entry spin(.param .u64 ns) {
  .reg .pred %p; .reg .b64 %t<4>;
  ld.param.u64 %t1, [ns];
  mov.u64 %t2, %globaltimer;
  add.u64 %t1, %t1, %t2;
again:
  mov.u64 %t3, %globaltimer;
  setp.lt.u64 %p, %t3, %t1;
  @%p bra again;
  ret;
}
`;

test('verify ends at a kernel that does not, with a sentence', { timeout: 60_000 }, async ({ skip }) => {
  if (missing !== undefined) return skip(missing);
  const seconds = 20;
  using folder = hangingPackage({ ptx: spin, kernel: 'spin', arg: { type: 'u64', value: seconds * 1e9 } });
  const start = performance.now();
  const env = { FFMA_ROOT: folder.path };
  const { code, stdout, stderr } = await ffma(['verify', '-d', 'cuda', '--timeout', '2'], folder.path, env);
  const took = (performance.now() - start) / 1000;
  console.log(`verify --timeout 2 of a kernel that takes ${seconds} s: ended after ${took.toFixed(1)} s`);
  expect(took).toBeLessThan(seconds - 5);
  expect(stdout).toMatch(/It was not done after 2 s, the time that a case may take\./);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
});
