import {
  archNumber,
  type DeviceLimits,
  type LaunchConfig,
  type ManifestArtefact,
  occupancyOf,
} from '@ffma/core';
import type { KernelResources } from '@ffma/core/compile';
import type { KernelPackage } from '../discover/kernel-package.js';
import type { LaunchCompiled } from '../result/schema.js';

const product = (extent: readonly number[]) => extent.reduce((x, y) => x * y, 1);

/** Resources of the entry that has a device symbol, where ptxas counted them. */
function countedOf({ symbols, resources }: ManifestArtefact, symbol: string): KernelResources | undefined {
  const entry = Object.keys(symbols).find((name) => symbols[name] === symbol);
  return entry === undefined ? undefined : resources?.[entry];
}

/** What ptxas said of a device symbol: for that architecture where it was asked, else for the nearest. */
export function compiledResources(
  { manifest }: Pick<KernelPackage, 'manifest'>,
  symbol: string,
  arch: string,
): KernelResources | undefined {
  const known = (manifest?.artefacts ?? []).filter((one) => countedOf(one, symbol) !== undefined);
  const distance = (artefact: ManifestArtefact) => Math.abs(archNumber(artefact.arch) - archNumber(arch));
  const [nearest] = known.sort((x, y) => distance(x) - distance(y));
  return nearest === undefined ? undefined : countedOf(nearest, symbol);
}

/** Facts of ptxas about a launch, and the occupancy that follows on a GPU with these limits; undefined without ptxas. */
export function launchCompiled(
  kernelPackage: Pick<KernelPackage, 'manifest'>,
  symbol: string,
  config: LaunchConfig,
  { arch, limits }: { readonly arch: string; readonly limits: DeviceLimits },
): LaunchCompiled | undefined {
  const counted = compiledResources(kernelPackage, symbol, arch);
  if (counted === undefined) return undefined;
  const { registers, spillBytes } = counted;
  const sharedBytes = counted.sharedBytes + (config.sharedBytes ?? 0);
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
      const found = compiledResources(one, symbol, 'sm_90')?.registers;
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
