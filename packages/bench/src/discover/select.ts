import type { Gemm } from '@ffma/core';
import { UsageError } from '../usage-error.js';
import type { DiscoveredKernel, Discovery } from './kernel-package.js';
import { nearNames } from './near-names.js';

/** A variant that was asked for, and the kernel it belongs to. */
export interface SelectedKernel {
  readonly gemm: Gemm;
  readonly kernel: DiscoveredKernel;
  /** True where it was asked for by itself, not as one of a package or of all. */
  readonly named?: true;
}

function allOf(kernels: readonly DiscoveredKernel[]): SelectedKernel[] {
  return kernels.map((kernel) => ({ gemm: kernel.gemm, kernel }));
}

/** By full id: a declared variant, or any other that the package was built with. */
function byId(kernels: readonly DiscoveredKernel[], id: string): SelectedKernel[] {
  return kernels.flatMap((kernel) => {
    const declared = [...kernel.variants.values()].find((gemm) => gemm.id === id);
    if (declared !== undefined) return [{ gemm: declared, kernel }];
    const built = kernel.package.manifest?.artefacts.find((a) => a.id === id && a.kernel === kernel.name);
    if (built === undefined || kernel.with === undefined) return [];
    return [{ gemm: kernel.with(built.params), kernel }];
  });
}

function byName(kernels: readonly DiscoveredKernel[], text: string): SelectedKernel[] {
  const slash = text.lastIndexOf('/');
  const name = slash < 0 ? text : text.slice(0, slash);
  const variant = slash < 0 ? 'default' : text.slice(slash + 1);
  return kernels
    .filter((kernel) => kernel.name === name)
    .flatMap((kernel) => {
      if (variant === '*') return [...kernel.variants.values()].map((gemm) => ({ gemm, kernel }));
      const gemm = kernel.variants.get(variant);
      if (gemm === undefined) {
        throw new UsageError(
          `${name} has no variant '${variant}'; it has ${[...kernel.variants.keys()].join(', ')}.`,
        );
      }
      return [{ gemm, kernel }];
    });
}

function none(discovery: Discovery): UsageError {
  const from = discovery.root ?? 'this folder, which has no package.json in it or above it';
  return new UsageError(`No kernel was found from ${from}.`, {
    remedy: `Add a kernel package to its dependencies${alsoBroken(discovery)}.`,
  });
}

function alsoBroken({ broken }: Discovery): string {
  return broken.length === 0
    ? ''
    : ` (not usable: ${broken.map(({ name }) => name).join(', ')}; see ffma list)`;
}

function unknown(text: string, discovery: Discovery): UsageError {
  const ids = discovery.kernels.flatMap((kernel) => [...kernel.variants.values()].map((gemm) => gemm.id));
  const names = discovery.kernels.map(({ name }) => name);
  const near = nearNames(text, [...names, ...ids, ...discovery.packages.map(({ name }) => name)]);
  const offer = near.length > 0 ? `Did you mean ${near.join(', ')}?` : `There are ${names.join(', ')}.`;
  return new UsageError(`There is no kernel '${text}'${alsoBroken(discovery)}.`, { remedy: offer });
}

function selectOne(discovery: Discovery, text: string): SelectedKernel[] {
  if (text === 'all') return allOf(discovery.kernels);
  const within = discovery.packages.find(({ name }) => text === name || text.startsWith(`${name}/`));
  const kernels = within
    ? discovery.kernels.filter((kernel) => kernel.package === within)
    : discovery.kernels;
  if (within?.name === text) return allOf(kernels);
  const rest = within ? text.slice(within.name.length + 1) : text;
  const named = byName(kernels, rest);
  const found = named.length > 0 ? named : byId(kernels, rest);
  if (found.length === 0) throw unknown(text, discovery);
  const owners = [...new Set(found.map(({ kernel }) => kernel.package.name))];
  if (owners.length > 1) {
    throw new UsageError(`'${text}' is in several packages: ${owners.join(', ')}.`, {
      remedy: `Write the package first: ${owners[0]}/${rest}.`,
    });
  }
  return found.map((one) => ({ ...one, named: true as const }));
}

/** Every declared variant of a kernel that was chosen without one; a variant that was named stays alone. */
function withVariants(one: SelectedKernel): SelectedKernel[] {
  const { gemm, kernel } = one;
  return gemm === kernel.gemm ? [...kernel.variants.values()].map((each) => ({ ...one, gemm: each })) : [one];
}

/**
 * Variants by what a person writes: `k02` (its default variant), `k02/name` (a declared variant), `k02/*` (all of
 * them), a full id, a package (all its kernels), `package/k02`, or `all`. Each is taken once, in the order asked for.
 * @param selectors none means `all`
 * @param options `allVariants`: every declared variant of each kernel, where no variant is written
 * @throws UsageError naming what is near
 */
export function selectKernels(
  discovery: Discovery,
  selectors: readonly string[],
  { allVariants = false }: { readonly allVariants?: boolean | undefined } = {},
): SelectedKernel[] {
  if (discovery.kernels.length === 0) throw none(discovery);
  const chosen: SelectedKernel[] = [];
  for (const text of selectors.length === 0 ? ['all'] : selectors) {
    const found = selectOne(discovery, text);
    for (const one of allVariants ? found.flatMap(withVariants) : found) {
      if (!chosen.some((other) => other.gemm.id === one.gemm.id && other.kernel === one.kernel))
        chosen.push(one);
    }
  }
  return chosen;
}

/** The kernel that one is based on: of its own package, else of another. */
export function baseOf(discovery: Discovery, kernel: DiscoveredKernel): DiscoveredKernel | undefined {
  const name = kernel.definition?.basedOn;
  const named = discovery.kernels.filter((other) => other.name === name);
  return named.find((other) => other.package === kernel.package) ?? named[0];
}
