import { realpathSync } from 'node:fs';
import { sentenceOf } from '../error-sentence.js';
import type { BrokenPackage, DiscoveredExperiment, DiscoveredKernel, Discovery } from './kernel-package.js';
import { loadKernelPackage } from './load-package.js';
import {
  installedPackageFolder,
  nearestPackageFolder,
  type PackageJson,
  readPackageJson,
} from './package-json.js';

interface Candidate {
  readonly name: string;
  readonly folder: string;
  readonly json: PackageJson;
}

function candidates(root: string): { found: Candidate[]; broken: BrokenPackage[]; missing: string[] } {
  const own = readPackageJson(root);
  const found: Candidate[] = [{ name: own.name ?? root, folder: root, json: own }];
  const broken: BrokenPackage[] = [];
  const missing: string[] = [];
  const optional = own.optionalDependencies ?? {};
  for (const name of Object.keys({ ...own.dependencies, ...own.devDependencies, ...optional })) {
    const folder = installedPackageFolder(name, root);
    if (folder === undefined) {
      if (!(name in optional)) missing.push(name);
      continue;
    }
    try {
      found.push({ name, folder, json: readPackageJson(folder) });
    } catch (error) {
      broken.push({ name, folder, reason: sentenceOf(error) });
    }
  }
  return { found, broken, missing };
}

/**
 * Finds the kernels that can be used from a folder: those of the packages that the nearest `package.json` depends
 * on (dependencies, devDependencies, optionalDependencies), and of that package itself. A package that cannot be
 * used is listed in `broken` with the reason.
 *
 * @param cwd default: the folder where the process runs
 * @throws ArgumentError where the nearest `package.json` cannot be read
 */
export async function discoverKernels(cwd = process.cwd()): Promise<Discovery> {
  const root = nearestPackageFolder(cwd);
  if (root === undefined)
    return { root, packages: [], kernels: [], experiments: [], broken: [], missing: [] };
  const { found, broken, missing } = candidates(root);
  const kernels: DiscoveredKernel[] = [];
  const experiments: DiscoveredExperiment[] = [];
  const seen = new Set<string>();
  for (const { name, folder, json } of found) {
    if (json.ffma?.kernels === undefined || seen.has(realpathSync(folder))) continue;
    seen.add(realpathSync(folder));
    try {
      const loaded = await loadKernelPackage(folder, json);
      kernels.push(...loaded.kernels);
      experiments.push(...loaded.experiments);
      broken.push(...loaded.faults.map((reason) => ({ name, folder, reason })));
    } catch (error) {
      broken.push({ name, folder, reason: sentenceOf(error) });
    }
  }
  const packages = [...new Set(kernels.map((kernel) => kernel.package))];
  return { root, packages, kernels, experiments, broken, missing };
}
