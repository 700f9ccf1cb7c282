import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Buffer } from '@ffma/core';
import { cublas } from '@ffma/cublas-ref';
import { expect, test } from 'vitest';
import { onGpu, openGpu } from './support/gpu.js';

/** Takes this many nanoseconds. */
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
const child = fileURLToPath(new URL('support/closing-child.mjs', import.meta.url));

onGpu('a device is closed before what cuBLAS loaded on it', () => {
  test('with work in flight: use after that is told, and all the memory comes back', async () => {
    await using device = await openGpu();
    const n = 1024;
    const cycle = async () => {
      const own = await openGpu();
      const loaded = await cublas.load(own);
      const [a, b, c] = [n, n, n].map(() => own.allocateSync(n * n * 4)) as [Buffer, Buffer, Buffer];
      const operation = loaded.prepare({ m: n, n, k: n }, { a, b, c });
      const streams = [own.createStream(), own.createStream()] as const;
      for (let i = 0; i < 20; i++) for (const stream of streams) operation.enqueue(stream);
      own.close();
      const closed = expect.objectContaining({ code: 'FFMA_CLOSED' });
      expect(() => operation.enqueue(streams[0])).toThrow(closed);
      expect(() => loaded.prepare({ m: n, n, k: n }, { a, b, c })).toThrow(closed);
      loaded.close();
    };
    const settled = async () => {
      await sleep(200);
      await device.synchronize();
      return device.memInfo().free;
    };
    // What the driver and cuBLAS keep for good is taken in the first rounds.
    for (let i = 0; i < 3; i++) await cycle();
    const before = await settled();
    for (let i = 0; i < 20; i++) await cycle();
    await expect.poll(settled, { timeout: 10_000 }).toBe(before);
  });

  test('while it is being loaded', async () => {
    for (const wait of [0, 1, 5, 20]) {
      const own = await openGpu();
      const loading = cublas.load(own).then(
        () => 'loaded',
        (error: { code: string }) => error.code,
      );
      await sleep(wait);
      own.close();
      expect(await loading).toMatch(/^(loaded|FFMA_CLOSED)$/);
    }
  });

  test('a kernel that nobody waits for does not hold up the end of the process', () => {
    const seconds = 20;
    const start = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, [child, spin, String(seconds)], {
      encoding: 'utf8',
    });
    const took = (performance.now() - start) / 1000;
    console.log(`cuBLAS loaded, and a kernel of ${seconds} s: the process ended after ${took.toFixed(1)} s`);
    expect({ status, stdout, stderr }).toEqual({ status: 7, stdout: 'FFMA_CLOSED\n', stderr: '' });
    expect(took).toBeLessThan(seconds - 5);
  });
});
