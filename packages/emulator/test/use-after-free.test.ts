import { ObjectCode } from '@ffma/core';
import { describeLeak, EmulatorDevice } from '@ffma/emulator';
import { afterAll, describe, expect, test } from 'vitest';
import { expectFault } from './support/faults.js';
import { kernel, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
const lenient = new EmulatorDevice({ cache: false, workers: 1, checks: { memcheck: false } });
afterAll(() => {
  device.close();
  lenient.close();
});

const STORE = 'st.global.u32 [%rd1+8], 7;';
const LOAD = 'ld.global.u32 %r1, [%rd1+8];';
const text = (access: string) => kernel('u64 at', `ld.param.u64 %rd1, [at];\n${access}`);

/** Address of a buffer that is closed by now. */
function closedBuffer(of: EmulatorDevice, byteLength: number): bigint {
  const buffer = of.allocateSync(byteLength);
  const { address } = buffer;
  buffer.close();
  return address;
}

describe('memory of a closed buffer', () => {
  test.each([STORE, LOAD])('%s names the buffer', async (access) => {
    const launch = { args: [closedBuffer(device, 400)] };
    await expectFault(device, text(access), launch, {
      kind: 'out-of-bounds',
      at: access,
      says: ['byte 8 of buffer ', '(400 bytes), which was closed'],
    });
  });

  test('is not given out again at once', () => {
    const before = closedBuffer(device, 4096);
    using next = device.allocateSync(4096);
    expect(next.address).not.toBe(before);
  });

  test('counts as free, and is used where nothing else is left', () => {
    using fresh = new EmulatorDevice({ cache: false, workers: 1 });
    const { free } = fresh.memInfo();
    closedBuffer(fresh, 2 ** 20);
    expect(fresh.memInfo().free).toBe(free);
    using all = fresh.allocateSync(free - 256);
    expect(all.byteLength).toBe(free - 256);
  });

  test('a store there is let through without memcheck', async () => {
    await runPtx(lenient, text(STORE), { args: [closedBuffer(lenient, 400)] });
  });
});

describe('what nobody has closed', () => {
  test('is listed with its size and where it was allocated', async () => {
    using fresh = new EmulatorDevice({ cache: false, workers: 1 });
    expect(fresh.leaks()).toEqual([]);
    using buffer = fresh.allocateSync(400);
    using module = await fresh.load(
      ObjectCode.fromPtx(kernel('', '', '.visible .global .align 4 .b8 table[64];'), { name: 'leaky.ptx' }),
    );
    const leaks = fresh.leaks();
    expect(leaks).toMatchObject([
      { kind: 'buffer', name: 'buffer 1', byteLength: 400 },
      { kind: 'module', name: 'leaky.ptx', byteLength: 64 },
    ]);
    expect(leaks.map(describeLeak)).toEqual([
      expect.stringMatching(/^buffer 1 \(400 bytes\), allocated at .*use-after-free\.test\.ts/),
      'leaky.ptx (64 bytes)',
    ]);
    buffer.close();
    module.close();
    expect(fresh.leaks()).toEqual([]);
  });
});
