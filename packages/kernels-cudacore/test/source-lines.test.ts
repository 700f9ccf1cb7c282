import { readFileSync } from 'node:fs';
import { type Buffer, gemmProblem, launch } from '@ffma/core';
import { compileVariant, findToolchains } from '@ffma/core/compile';
import { EmulatorDevice } from '@ffma/emulator';
import { k03 } from '@ffma/kernels-cudacore';
import { expect, test } from 'vitest';

const compilers = (await findToolchains()).filter(({ available }) => available).map(({ name }) => name);

/** Where counters find an access of k03: line of its source, by what stands there. */
const places = [
  ['global load', '*a_at : 0.0f'],
  ['global load', '*b_at : 0.0f'],
  ['shared store', '*a_at : 0.0f'],
  ['shared load', 'acc = ffma::fma(a_tile'],
  ['global store', 'ffma::store_scaled'],
] as const;

test.each(compilers)('counters point at the lines of the kernel, compiled by %s', async (compiler) => {
  const { object } = await compileVariant(k03, { arch: 'compute_90', format: 'ptx', compiler });
  using device = new EmulatorDevice({ workers: 1, counters: true });
  using loaded = await device.load(object);
  using stream = device.createStream();
  using buffer: Buffer = device.allocateSync(4 * 32 * 32);
  buffer.fill(stream, 0);
  const resources = { main: { registers: 32, sharedBytes: 0, spillBytes: 0, estimated: true } };
  const plan = k03.plan(gemmProblem({ m: 32, n: 32, k: 32 }), device, resources);
  for (const { grid, block, sharedBytes, args } of plan.launches) {
    const passed = args.map((arg) =>
      arg.type === 'operand'
        ? ({ type: 'pointer', buffer } as const)
        : (arg as { type: 'i32'; value: number }),
    );
    launch(stream, { grid, block, sharedBytes }, loaded.kernel(k03.id), ...passed);
  }
  await stream.synchronize();

  const source = readFileSync(k03.definition.source, 'utf8').split('\n');
  // clang 19 gives the line of a device header without the line that calls it.
  const chains = object.text?.includes('inlined_at') === true;
  const counted = device.takeProfiles().flatMap(({ sites }) => sites);
  const found = counted.map(({ space, kind, source: at }) => {
    const own = at?.file.endsWith('/k03-shared-tiles/kernel.cu') === true;
    return { access: `${space} ${kind}`, text: own ? source[at.line - 1] : at?.file };
  });
  for (const [access, part] of places) {
    const text = !chains && part === 'ffma::store_scaled' ? 'ffma/epilogue.cuh' : part;
    expect(found).toContainEqual({ access, text: expect.stringContaining(text) });
  }
  if (chains) expect(counted.filter(({ source: at }) => !at?.file.endsWith('kernel.cu'))).toEqual([]);
});
