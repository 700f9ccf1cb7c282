import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ArgumentError, UnavailableError } from '../errors.js';
import type { DefinedKernel, Variant } from '../gemm/define-kernel.js';

/** A package that declares kernels, with its declarations loaded. */
export interface KernelPackage {
  /** Its folder. */
  readonly root: string;
  readonly name: string;
  readonly version: string;
  readonly kernels: readonly DefinedKernel[];
}

interface PackageJson {
  name?: string;
  version?: string;
  ffma?: { kernels?: string };
}

async function readPackageJson(root: string): Promise<PackageJson> {
  const path = join(root, 'package.json');
  if (!existsSync(path)) {
    throw new ArgumentError(`There is no package.json in ${root}.`, {
      remedy: 'Run ffma-kernelc in the folder of a kernel package.',
    });
  }
  try {
    return JSON.parse(await readFile(path, 'utf8')) as PackageJson;
  } catch (error) {
    throw new ArgumentError(`${path} is not JSON: ${(error as Error).message}.`, { cause: error });
  }
}

/** By shape, not by class: a package may bring a core of its own. */
function isKernel(value: unknown): value is DefinedKernel {
  const kernel = value as Partial<DefinedKernel> | null;
  return (
    typeof kernel === 'object' && kernel?.variants instanceof Map && kernel.definition?.source instanceof URL
  );
}

function checkUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new ArgumentError(`Two ${what} of this package are called ${twice}.`);
}

/** Loads the kernels that a package declares. @throws ArgumentError, UnavailableError where it is not built */
export async function openKernelPackage(root: string): Promise<KernelPackage> {
  const { name = '(unnamed)', version = '0.0.0', ffma } = await readPackageJson(root);
  if (typeof ffma?.kernels !== 'string') {
    throw new ArgumentError(`The package.json of ${name} has no "ffma": { "kernels": "./dist/…" }.`, {
      remedy: 'Name the module that exports the array `kernels`.',
    });
  }
  const path = join(root, ffma.kernels);
  if (!existsSync(path)) {
    throw new UnavailableError(`${path} does not exist, so the declarations of ${name} are not compiled.`, {
      remedy: 'Compile them first: npx tsc -p tsconfig.json.',
    });
  }
  let module: { kernels?: unknown };
  try {
    module = (await import(pathToFileURL(path).href)) as { kernels?: unknown };
  } catch (error) {
    throw new ArgumentError(`${path} could not be imported: ${(error as Error).message}`, { cause: error });
  }
  const { kernels } = module;
  if (!Array.isArray(kernels) || !kernels.every(isKernel)) {
    throw new ArgumentError(`${path} must export \`kernels\`, an array of what defineKernel returns.`);
  }
  checkUnique(
    'kernels',
    kernels.map((kernel) => kernel.name),
  );
  checkUnique(
    'variants',
    kernels.flatMap((kernel) => [...kernel.variants.values()].map(({ id }) => id)),
  );
  return { root, name, version, kernels };
}

/** A variant by its id, or by its kernel's name and its own (`default` where it is left out). */
export function findVariant({ name, kernels }: KernelPackage, kernel: string, variant = 'default'): Variant {
  const byId = kernels.flatMap((each) => [...each.variants.values()]).find(({ id }) => id === kernel);
  if (byId !== undefined) return byId;
  const found = kernels.find((each) => each.name === kernel);
  if (found === undefined) {
    const known = kernels.map((each) => each.name).join(', ') || 'none';
    throw new ArgumentError(`${name} has no kernel '${kernel}'; it has ${known}.`);
  }
  return found.variant(variant);
}
