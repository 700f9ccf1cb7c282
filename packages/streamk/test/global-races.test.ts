import type { DefinedKernel, Device, DeviceOptions, FfmaError, KernelFaultPlace } from '@ffma/core';
import { k14, kernels, streamkDeterministic } from '@ffma/streamk';
import { type VerifyCase, verifyGemm } from '@ffma/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MutantPackage, type Mutation } from '../../../scripts/emulator/mutant-package.js';
import { smallDevice } from '../../../scripts/emulator/small-device.js';

const cases: readonly VerifyCase[] = [
  { shape: { m: 256, n: 512, k: 40, alpha: 2, beta: -3 }, data: 'integers', expect: 'run' },
];
const SIGNAL = 'if (threadIdx.x == 0) ffma::signal(&raised[block]);';
const deterministic = streamkDeterministic as unknown as DefinedKernel;

/** None of these shows where blocks run by number: each computes the right sums then. */
const racing: readonly (Mutation & { readonly what: string; readonly at: string; readonly first: string })[] =
  [
    {
      what: 'k14 adds its part by a load and a store',
      of: k14 as unknown as DefinedKernel,
      slug: 'plain-add',
      edits: [
        [
          '        ffma::add4(',
          '        const auto add4 = [](float* to, ffma::vec4 v) {\n          for (int e = 0; e < 4; ++e) to[e] += (&v.x)[e];\n        };\n        add4(',
        ],
      ],
      at: 'ld.global',
      first: 'st.global',
    },
    {
      what: 'streamk-deterministic raises its flag without a fence',
      of: deterministic,
      slug: 'flag-without-fence',
      edits: [[SIGNAL, 'if (threadIdx.x == 0) *const_cast<volatile unsigned*>(&raised[block]) = 1;']],
      at: 'ld.global',
      first: 'st.global',
    },
    {
      what: 'streamk-deterministic does not wait for the flag',
      of: deterministic,
      slug: 'unawaited',
      edits: [['      if (threadIdx.x == 0) ffma::wait_for(&raised[other]);\n', '']],
      at: 'ld.global',
      first: 'st.global',
    },
    {
      what: 'streamk-deterministic raises its flag before all threads have written',
      of: deterministic,
      slug: 'early-flag',
      edits: [
        [`        __syncthreads();\n        ${SIGNAL}\n`, `        ${SIGNAL}\n        __syncthreads();\n`],
      ],
      at: 'ld.global',
      first: 'st.global',
    },
  ];

let mutants: MutantPackage;
let device: Device;
const built = new Map<string, DefinedKernel>();

beforeAll(async () => {
  mutants = await MutantPackage.create();
  device = await smallDevice(3, { checks: { racecheck: 'global' } } as DeviceOptions);
  for (const wrong of racing) built.set(wrong.slug, await mutants.add(wrong));
});

afterAll(async () => {
  await device?.[Symbol.asyncDispose]();
  await mutants?.[Symbol.asyncDispose]();
});

test.each(kernels.map((kernel) => [kernel.id, kernel] as const))(
  '%s has no races between blocks',
  async (_, kernel) => {
    const report = await verifyGemm(device, kernel, { cases });
    expect(report.cases.map(({ error }) => error?.message)).toEqual([undefined]);
    expect(report.counts.passed).toBe(cases.length);
  },
);

test.each(racing.map((wrong) => [wrong.what, wrong] as const))('%s', async (_, wrong) => {
  const report = await verifyGemm(device, built.get(wrong.slug)!, { cases, load: { compile: true } });
  const { message, details } = report.cases[0]!.error as unknown as FfmaError;
  const { kind, place } = details as { kind: string; place: KernelFaultPlace };
  expect(kind, message).toBe('race');
  expect(place.instruction, message).toContain(wrong.at);
  expect(place.other?.instruction, message).toContain(wrong.first);
  expect(place.other?.block, message).not.toEqual(place.block);
});
