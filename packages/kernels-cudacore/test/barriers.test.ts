import {
  type DefinedKernel,
  type Device,
  type Gemm,
  KernelFaultError,
  multiply,
  ObjectCode,
} from '@ffma/core';
import { EmulatorDevice } from '@ffma/emulator';
import {
  blocktiling1dV3,
  kernels,
  smemTiling,
  study,
  warptilingV2,
  warptilingV7,
} from '@ffma/kernels-cudacore';
import { describe, expect, test } from 'vitest';
import { builtByNvcc } from '../../../scripts/emulator/kernels-on-emulator.js';

const BARRIER = /^\s*bar(?:rier)?\.sync[^\n]*$/gm;
/** Sizes that every kernel takes, and that give each of its loops more than one turn. */
const SHAPE = { m: 256, n: 128, k: 64 };

/** A device that loads PTX without its barrier number `left`, and says how many barriers there were. */
function withoutBarrier(left: number) {
  const device = new EmulatorDevice({ workers: 1 });
  const load = device.load.bind(device);
  let found = 0;
  device.load = (object) => {
    found = 0;
    const text = (object as ObjectCode & { text: string }).text;
    const changed = text.replace(BARRIER, (line) => (found++ === left ? '' : line));
    return load(ObjectCode.fromPtx(changed, { name: object.name }));
  };
  return { device, found: () => found };
}

async function run(device: Device, gemm: Gemm): Promise<unknown> {
  const { m, n, k } = SHAPE;
  const [a, b] = [new Float32Array(m * k).fill(1), new Float32Array(k * n).fill(1)];
  return multiply(device, gemm, a, b, SHAPE).then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** What a missing barrier shows as; which of them depends on who comes first. */
const KINDS = ['race', 'uninitialised-read', 'copy-in-flight', 'copy-unsynchronised'];

/** The course, and of the study a kernel for each way in which its barriers stand. */
const tested: readonly DefinedKernel[] = [
  ...kernels.filter((kernel) => !study.includes(kernel)),
  smemTiling,
  blocktiling1dV3,
  warptilingV2,
  // clang writes the last turn of its loop out apart, with a barrier behind which nothing is left to wait for.
  ...(builtByNvcc(warptilingV7) ? [warptilingV7] : []),
];

describe('no barrier is there for nothing', () => {
  test.each(tested.map((kernel) => [kernel.id, kernel] as const))(
    '%s',
    { timeout: 120_000 },
    async (_, kernel) => {
      const whole = withoutBarrier(-1);
      expect(await run(whole.device, kernel)).toBeUndefined();
      whole.device.close();
      for (let left = 0; left < whole.found(); left++) {
        const { device } = withoutBarrier(left);
        const fault = await run(device, kernel);
        device.close();
        if (!(fault instanceof KernelFaultError))
          throw new Error(`Barrier ${left} is not missed.`, { cause: fault });
        expect(KINDS, fault.message).toContain(fault.kind);
        expect(fault.place.source?.file, fault.message).toMatch(/kernel\.cu$|\.cuh$/);
      }
    },
  );
});
