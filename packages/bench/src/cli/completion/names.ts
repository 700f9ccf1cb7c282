import { builtInSuites } from '../../bench/suites.js';
import type { NameKind } from './spec.js';

/** Names of a kind in a folder, for a shell; nothing where they cannot be told, since nobody reads why. */
export async function namesIn(folder: string, kind: NameKind): Promise<string[]> {
  try {
    if (kind === 'suites') {
      const { loadConfig } = await import('../../config/load-config.js');
      const own = await loadConfig(folder).then(
        ({ suites }) => Object.keys(suites),
        () => [],
      );
      return [...new Set([...own, ...Object.keys(builtInSuites)])];
    }
    const { discoverKernels } = await import('../../discover/discover-kernels.js');
    const discovery = await discoverKernels(folder);
    if (kind === 'experiments') return discovery.experiments.map(({ experiment }) => experiment.name);
    const { listKernels } = await import('../../discover/list-kernels.js');
    const names = listKernels(discovery, { variants: true }).map(({ selector }) => selector);
    return [...new Set([...names, ...discovery.packages.map(({ name }) => name), 'all'])];
  } catch {
    return [];
  }
}
