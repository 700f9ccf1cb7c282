import { ObjectCode } from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import { afterAll, expect, test } from 'vitest';
import { kernel, lineOf, runPtx } from './support/run-ptx.js';

const device = new EmulatorDevice({ cache: false, workers: 1 });
afterAll(() => device.close());

test.each(['add.s64 %rd1, %f1, %rd2', 'cvt.s64.s32 %f1, %r1', 'mov.b64 %f1, %rd1'])(
  '%s is refused by kernel and line',
  async (text) => {
    const ptx = kernel('', `\n${text};`);
    await expect(runPtx(device, ptx)).rejects.toMatchObject({
      code: 'FFMA_COMPILE',
      message: expect.stringContaining(`Kernel k, PTX line ${lineOf(ptx, text)}`),
      details: { kernel: 'k', text },
    });
  },
);

test('an argument that the register cannot take names the kernel', async () => {
  const ptx = kernel('u64 p', 'ld.param.u64 %f1, [p];');
  await expect(runPtx(device, ptx, { args: [1n] })).rejects.toMatchObject({
    code: 'FFMA_COMPILE',
    message: expect.stringContaining('cannot translate the kernel k'),
  });
});

test.each([
  ['too many registers', kernel('', '.reg .b32 %q<100000000>;'), 'at most 1048576'],
  ['a deep expression', kernel('', '', `.global .u32 a[${'('.repeat(50000)}1];`), 'nested too deeply'],
  ['a huge initialised array', kernel('', '', '.global .u32 a[4000000000] = {1};'), 'at most 268435456'],
  ['a negative array', kernel('', '', '.global .u32 a[-4];'), 'expected an array size, found -4'],
])('%s', async (_, ptx, message) => {
  await expect(device.load(ObjectCode.fromPtx(ptx))).rejects.toMatchObject({
    code: 'FFMA_COMPILE',
    message: expect.stringContaining(message),
  });
});
