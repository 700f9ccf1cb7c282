import {
  type Claim,
  type Gemm,
  type ModelledGpu,
  multiply,
  openDevice,
  packageRootOf,
  readManifest,
} from '@ffma/core';
import { counterFacts, type EmulatorDevice } from '@ffma/emulator';
import { kernels } from '@ffma/streamk';
import { describeClaims, describeConformance } from '@ffma/verify/vitest';
import { expect, test } from 'vitest';

describeConformance(kernels, { variants: 'default', device: () => openDevice('emulator') });

/** Variants that the usual build leaves out are compiled here, and take the quick cases. */
describeConformance(
  kernels.flatMap(({ variants }) => [...variants.values()].slice(1)),
  {
    device: () => openDevice('emulator'),
    label: 'other variants',
    level: 'quick',
    load: { compile: true },
    timeout: 120_000,
  },
);

/** Registers of a kernel by its symbol, where ptxas was there to count them. */
const registers = (symbol: string) =>
  readManifest(packageRootOf(kernels[0]!.definition.source))?.artefacts.find(({ symbols }) =>
    Object.values(symbols).includes(symbol),
  )?.registers;

async function countersOf(gemm: Gemm, { m, n, k }: Claim['at'], gpu?: ModelledGpu) {
  const counters = gpu === undefined ? true : { l2: { bytes: gpu.l2Bytes, smCount: gpu.smCount, registers } };
  await using device = (await openDevice('emulator', { counters, checks: false })) as EmulatorDevice;
  await multiply(device, gemm, new Float32Array(m * k).fill(1), new Float32Array(k * n).fill(1), { m, n, k });
  return counterFacts(device.takeProfiles());
}

/** Claims speak about the code that nvcc emits; clang splits and schedules its accesses in its own way. */
const builtByNvcc = kernels.every(({ id, definition }) => {
  const artefacts = readManifest(packageRootOf(definition.source))?.artefacts ?? [];
  return artefacts
    .filter((artefact) => artefact.id === id)
    .every(({ compiler }) => compiler.startsWith('nvcc '));
});
if (builtByNvcc) describeClaims(kernels, { countersOf });

test('every kernel states what its counters show', () => {
  for (const { id, definition } of kernels) expect(definition.claims?.length, id).toBeGreaterThan(0);
});
