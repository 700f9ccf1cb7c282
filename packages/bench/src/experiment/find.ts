import type { DiscoveredExperiment, Discovery } from '../discover/kernel-package.js';
import { nearNames } from '../discover/near-names.js';
import { UsageError } from '../usage-error.js';

/** An experiment by its name, or `package/name`. @throws UsageError naming what is near */
export function findExperiment({ experiments }: Discovery, text: string): DiscoveredExperiment {
  const full = (one: DiscoveredExperiment) => `${one.package.name}/${one.experiment.name}`;
  const found = experiments.filter((one) => one.experiment.name === text || full(one) === text);
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined) {
    throw new UsageError(`'${text}' is in several packages: ${found.map(full).join(', ')}.`, {
      remedy: `Write the package first: ${full(first)}.`,
    });
  }
  const names = experiments.map(({ experiment }) => experiment.name);
  const near = nearNames(text, names);
  const known = names.length === 0 ? 'No package here declares any.' : `There are ${names.join(', ')}.`;
  throw new UsageError(`There is no experiment '${text}'.`, {
    remedy: near.length > 0 ? `Did you mean ${near.join(', ')}?` : known,
  });
}
