import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import {
  CompileError,
  type Device,
  defineKernel,
  type Gemm,
  type GemmOperands,
  type LoadedGemm,
  ObjectCode,
  type PreparedGemm,
  type Variant,
} from '@ffma/core';
import type { CompiledVariant } from '@ffma/core/compile';
import { parseSizes } from '../bench/sizes.js';
import type { DiscoveredKernel } from '../discover/kernel-package.js';
import type { SweepCompiler } from '../sweep/compile-stage.js';
import type { SweepOptions } from '../sweep/options.js';
import type { SweepResult } from '../sweep/schema.js';
import { sweep } from '../sweep/sweep.js';
import type { FakeBuffer, FakeDevice } from './fake-device.js';
import { discoveryOf, type FakeKernelOptions, fakeKernel, fakePackage, selected } from './fake-kernel.js';
import { FakeTimingDevice } from './fake-timing-device.js';
import { temporaryFolder } from './kernel-folders.js';

/** From 0 to 1, by the text alone. */
export function noise(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}

const folder = temporaryFolder({ 'package.json': {}, 'kernel.cu': '// nothing' });
process.once('exit', () => folder[Symbol.dispose]());

/** 6 × 5 × 2 points, of which a rule refuses those with BM = 7 and another those of large tiles. Those with BM = 12 do not take 8³. */
export const sweptKernel = defineKernel({
  name: 'k50',
  slug: 'swept',
  change: 'Nothing.',
  source: pathToFileURL(`${folder.path}/kernel.cu`),
  params: { BM: 8, BN: 8, DEEP: false },
  derive: () => ({ threads: 64, sharedBytes: 0 }),
  rules: [
    { sentence: 'BM is even', holds: ({ BM }) => BM % 2 === 0 },
    { sentence: 'A tile has at most 600 elements', holds: ({ BM, BN }) => BM * BN <= 600 },
  ],
  needs: ({ BM }) => (BM === 12 ? { multiples: { m: 12 } } : {}),
  plan: () => ({ launches: [] }),
  search: { BM: [4, 7, 8, 12, 16, 32], BN: [4, 8, 16, 32, 64], DEEP: [false, true] },
  exactness: 'k-order',
});

const objectOf = (id: string, arch: string) => ObjectCode.fromPtx(`// ${id}`, { name: id, arch });

type Memory = FakeBuffer['memory'];

const products = new Map<string, Uint8Array<ArrayBuffer>>();

/** Of the bits of some memory; different data differ in it. */
function checksum(memory: Uint8Array<ArrayBuffer>): number {
  let sum = memory.length;
  for (const word of new Uint32Array(memory.buffer)) sum = (Math.imul(sum, 31) + word) | 0;
  return sum;
}

/** Multiplies as another product does, but what was computed once, for any variant, is remembered. */
function remembered(prepared: PreparedGemm, operands: GemmOperands, launched: () => void): PreparedGemm {
  const memoryOf = (ref: GemmOperands['a']) => (('buffer' in ref ? ref.buffer : ref) as FakeBuffer).memory;
  const [a, b, c] = [operands.a, operands.b, operands.c].map(memoryOf) as [Memory, Memory, Memory];
  return {
    ...prepared,
    enqueue(stream) {
      const key = JSON.stringify([prepared.problem, ...[a, b, c].map(checksum)]);
      const known = products.get(key);
      if (known === undefined) {
        prepared.enqueue(stream);
        products.set(key, c.slice());
      } else {
        c.set(known);
        launched();
      }
    },
  };
}

/** The variant, running in JavaScript. */
function runnable(variant: Variant, options: FakeKernelOptions): Gemm {
  const load: Gemm['load'] = async (device) => {
    const loaded = await fakeKernel(variant.id, options).gemm.load(device);
    const { sha256 } = objectOf(variant.id, 'compute_90');
    const prepare: LoadedGemm['prepare'] = (shape, operands) => {
      const prepared = loaded.prepare(shape, operands);
      const launched = () => (device as FakeDevice).launched(variant.id);
      return Object.keys(options).length > 0 ? prepared : remembered(prepared, operands, launched);
    };
    return { ...loaded, prepare, artefact: { ...loaded.artefact, sha256 } };
  };
  return Object.assign(Object.create(variant) as Variant, { load });
}

/** The kernel as a package exports it; `wrong` says what is wrong with a variant. */
export function sweptDiscovery(wrong: (id: string) => FakeKernelOptions = () => ({})): DiscoveredKernel {
  const of = (variant: Variant) => runnable(variant, wrong(variant.id));
  const gemm = of(sweptKernel as unknown as Variant);
  return {
    name: 'k50',
    package: fakePackage,
    gemm,
    variants: new Map([['default', gemm]]),
    definition: sweptKernel.definition as unknown as NonNullable<DiscoveredKernel['definition']>,
    with: (params) => of(sweptKernel.with(params) as unknown as Variant),
  };
}

export interface FakeCompiler extends SweepCompiler {
  /** Ids, in the order in which they were asked for. */
  readonly asked: string[];
}

/** A compiler that takes what it is told for every variant. */
export function fakeCompiler(
  resources: (id: string) => Partial<NonNullable<CompiledVariant['resources']>['main']> = () => ({}),
  wait: (id: string) => Promise<unknown> = async () => {},
): FakeCompiler {
  const asked: string[] = [];
  return {
    name: 'fake 1',
    asked,
    compile: async ({ id }, { arch }) => {
      asked.push(id);
      await wait(id);
      const main = { registers: 40, sharedBytes: 0, spillBytes: 0, ...resources(id) };
      return {
        object: objectOf(id, arch),
        compiler: 'fake 1',
        reproducible: true,
        cached: false,
        resources: { main },
      };
    },
  };
}

export const refusesToCompile = (id: string): never => {
  throw new CompileError(`fake 1 refused ${id}: error`);
};

/** µs of the variants: the best are 2 % apart, at BM 16, BN 32, DEEP; smaller and larger tiles are slower. */
export function modelUs(id: string): number {
  const [, bm = 0, bn = 0] = (/bm(\d+)_bn(\d+)/.exec(id) ?? []).map(Number);
  const shapeCost = 3 * Math.abs(Math.log2(bm / 16)) + 2 * Math.abs(Math.log2(bn / 32));
  return 100 + shapeCost + (id.includes('nodeep') ? 2 : 0);
}

/** A GPU on which launches take what the model says, up to 1.5 % more, and on which the clock drifts by a tenth. */
export function modelDevice(
  seed: string,
  launched: (id: string, total: number) => void = () => {},
  factor: (id: string) => number = () => 1,
): FakeTimingDevice {
  let total = 0;
  const times = new Proxy<Record<string, (n: number) => number>>(
    {},
    {
      get: (_, name: string) => (n: number) => {
        total++;
        launched(name, total);
        const us = name === 'lib' ? 110 : modelUs(name);
        return (
          factor(name) * us * (1 + 0.1 * Math.sin(total / 700)) * (1 + 0.015 * noise(`${seed} ${name} ${n}`))
        );
      },
    },
  );
  return new FakeTimingDevice({ times });
}

/** A short protocol, on one small size. */
export function sweepHere(
  device: Device,
  options: Partial<SweepOptions> = {},
  kernel: DiscoveredKernel = sweptDiscovery(),
): Promise<SweepResult> {
  const library = fakeKernel('lib', { role: 'reference' });
  return sweep(device, selected(kernel), {
    sizes: parseSizes('8'),
    discovery: discoveryOf(library, kernel),
    compiler: fakeCompiler(),
    // Few and small, since JavaScript multiplies.
    cases: (_, level) => [
      { shape: { m: 12, n: 5, k: level === 'full' ? 9 : 7 }, data: 'integers', expect: 'run' },
    ],
    ...options,
    protocol: {
      rounds: 5,
      launches: 6,
      firstRounds: 3,
      firstLaunches: 3,
      finalists: 3,
      heat: 6,
      warmUpMs: 0,
      ...options.protocol,
    },
  });
}
