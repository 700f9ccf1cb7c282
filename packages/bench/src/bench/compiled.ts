import {
  archNumber,
  type DeviceLimits,
  type LaunchConfig,
  type ManifestArtefact,
  occupancyOf,
} from '@ffma/core';
import type { KernelPackage } from '../discover/kernel-package.js';
import type { LaunchCompiled } from '../result/schema.js';

const product = (extent: readonly number[]) => extent.reduce((x, y) => x * y, 1);

/** What ptxas said of a device symbol: for that architecture where it was asked, else for the nearest. */
export function compiledArtefact(
  { manifest }: Pick<KernelPackage, 'manifest'>,
  symbol: string,
  arch: string,
): ManifestArtefact | undefined {
  const known = (manifest?.artefacts ?? []).filter(
    ({ symbols, registers }) => registers !== undefined && Object.values(symbols).includes(symbol),
  );
  const distance = (artefact: ManifestArtefact) => Math.abs(archNumber(artefact.arch) - archNumber(arch));
  return known.sort((x, y) => distance(x) - distance(y))[0];
}

/** Facts of ptxas about a launch, and the occupancy that follows on a GPU with these limits; undefined without ptxas. */
export function launchCompiled(
  kernelPackage: Pick<KernelPackage, 'manifest'>,
  symbol: string,
  config: LaunchConfig,
  { arch, limits }: { readonly arch: string; readonly limits: DeviceLimits },
): LaunchCompiled | undefined {
  const artefact = compiledArtefact(kernelPackage, symbol, arch);
  if (artefact?.registers === undefined) return undefined;
  const { registers, spillBytes = 0 } = artefact;
  const sharedBytes = (artefact.sharedBytes ?? 0) + (config.sharedBytes ?? 0);
  const block = { threads: product(config.block), registersPerThread: registers, sharedBytes };
  const { blocksPerSm, warpsPerSm, share, limitedBy } = occupancyOf(block, limits);
  return {
    registers,
    spillBytes,
    sharedBytes,
    blocksPerSm,
    warpsPerSm,
    occupancy: share,
    limitedBy: [...limitedBy],
  };
}

/** Registers of device symbols, as the packages of some kernels have them. */
export function registersOf(
  selected: readonly { readonly kernel: { readonly package: Pick<KernelPackage, 'manifest'> } }[],
): (symbol: string) => number | undefined {
  const packages = new Set(selected.map(({ kernel }) => kernel.package));
  return (symbol) => {
    for (const one of packages) {
      const found = compiledArtefact(one, symbol, 'sm_90')?.registers;
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
