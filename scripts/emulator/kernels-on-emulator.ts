import {
  type Claim,
  type DefinedKernel,
  type Gemm,
  type ModelledGpu,
  multiply,
  openDevice,
  packageRootOf,
  readManifest,
} from '@ffma/core';
import { counterFacts, type EmulatorDevice } from '@ffma/emulator';
import { conformanceCases, type VerifyCase } from '@ffma/verify';
import { describeClaims, describeConformance } from '@ffma/verify/vitest';
import { expect, test } from 'vitest';

/** Of the quick cases, those that say the most: sums, and what IEEE 754 says. */
export const fewCases = (gemm: Gemm): VerifyCase[] =>
  conformanceCases(gemm, { level: 'quick' }).filter(
    ({ data, shape: { m, beta = 0 } }) =>
      data === 'special' || (data === 'integers' && (m > 64 || beta !== 0)),
  );

/**
 * Registers the quick cases of the variants that the usual build leaves out; they are compiled here. Of those that are
 * compiled anew for each size, a few.
 */
export function otherVariantsOnEmulator(kernels: readonly DefinedKernel[]): void {
  describeConformance(
    kernels.flatMap(({ variants }) => [...variants.values()].slice(1)),
    {
      device: () => openDevice('emulator'),
      label: 'other variants',
      cases: (gemm) => (gemm.open ? fewCases(gemm) : conformanceCases(gemm, { level: 'quick' })),
      load: { compile: true },
      timeout: 120_000,
    },
  );
}

const artefactsOf = ({ definition }: DefinedKernel) =>
  readManifest(packageRootOf(definition.source))?.artefacts ?? [];

/** Whether nvcc compiled what is there of a kernel. */
export const builtByNvcc = (kernel: DefinedKernel): boolean =>
  artefactsOf(kernel)
    .filter(({ id }) => id === kernel.id)
    .every(({ compiler }) => compiler.startsWith('nvcc '));

/** Registers tests of the claims of a package's kernels, and that each has some. */
export function claimsOnEmulator(kernels: readonly DefinedKernel[]): void {
  /** Registers of a kernel by its symbol, where ptxas was there to count them. */
  const registers = (symbol: string) => {
    for (const { symbols, resources } of artefactsOf(kernels[0]!)) {
      const entry = Object.keys(symbols).find((name) => symbols[name] === symbol);
      if (entry !== undefined) return resources?.[entry]?.registers;
    }
    return undefined;
  };

  const count = async (gemm: Gemm, { m, n, k }: Claim['at'], gpu?: ModelledGpu) => {
    const counters =
      gpu === undefined ? true : { l2: { bytes: gpu.l2Bytes, smCount: gpu.smCount, registers } };
    await using device = (await openDevice('emulator', { counters, checks: false })) as EmulatorDevice;
    const [a, b] = [new Float32Array(m * k).fill(1), new Float32Array(k * n).fill(1)];
    await multiply(device, gemm, a, b, { m, n, k });
    return counterFacts(device.takeProfiles());
  };
  // A kernel is counted once at a size, for its own claims and for those of kernels that are based on it.
  const counted = new Map<string, ReturnType<typeof count>>();
  const countersOf = (gemm: Gemm, at: Claim['at'], gpu?: ModelledGpu) => {
    const key = JSON.stringify([gemm.id, at, gpu]);
    const known = counted.get(key) ?? count(gemm, at, gpu);
    counted.set(key, known);
    return known;
  };

  // Claims speak about the code that nvcc emits; clang splits and schedules its accesses in its own way.
  if (kernels.every(builtByNvcc)) describeClaims(kernels, { countersOf });

  test('every kernel states what its counters show', () => {
    for (const { id, definition } of kernels) expect(definition.claims?.length, id).toBeGreaterThan(0);
  });
}
