import type { CounterFacts } from '@ffma/core';
import type { LaunchProfile, SiteCounters } from './launch-profile.js';

const sum = (sites: readonly SiteCounters[], of: (site: SiteCounters) => number) =>
  sites.reduce((total, site) => total + of(site), 0);

/**
 * Sums launch profiles (the launches of one plan) and gives named figures:
 *
 * - `instructions.total`, `instructions.<class>`: executed, summed over threads
 * - `ffma.share`: FFMA ÷ total; `overhead.perFfma`: other instructions ÷ FFMA
 * - `<space>.<kind>.requests`, `.bytesRequested`; `global.<kind>.sectors`, `.bytesUsed`,
 *   `.sectorsPerRequest`, `.bytesPerSector` with kind `load`, `store` or `atomic`
 * - `async.bytes`: what copies by `cp.async` wrote to shared memory, zeros included; what they read is a global load
 * - `flop.perGlobalByte`: 2·FFMA ÷ (32 · global sectors)
 *
 * A figure that nothing contributed to is NaN where it is a ratio, 0 where it is a count.
 */
export function counterFacts(profiles: readonly LaunchProfile[]): CounterFacts {
  const values = new Map<string, number>();
  let total = 0;
  for (const profile of profiles) {
    for (const [name, count] of Object.entries(profile.instructions)) {
      total += count;
      const key = `instructions.${name}`;
      values.set(key, (values.get(key) ?? 0) + count);
    }
  }
  const ffma = values.get('instructions.ffma') ?? 0;
  values.set('instructions.total', total);
  values.set('ffma.share', ffma / total);
  values.set('overhead.perFfma', (total - ffma) / ffma);
  const sites = profiles.flatMap((profile) => profile.sites);
  for (const space of ['global', 'shared', 'local'] as const) {
    for (const kind of ['load', 'store', 'atomic'] as const) {
      const own = sites.filter((site) => site.space === space && site.kind === kind);
      const name = `${space}.${kind}`;
      const requests = sum(own, (s) => s.requests);
      values.set(`${name}.requests`, requests);
      values.set(
        `${name}.bytesRequested`,
        sum(own, (s) => s.bytesRequested),
      );
      if (space !== 'global') continue;
      const sectors = sum(own, (s) => s.sectors);
      const used = sum(own, (s) => s.bytesUsed);
      values.set(`${name}.sectors`, sectors);
      values.set(`${name}.bytesUsed`, used);
      values.set(`${name}.sectorsPerRequest`, sectors / requests);
      values.set(`${name}.bytesPerSector`, used / sectors);
    }
  }
  const copies = sites.filter((site) => site.kind === 'copy');
  values.set(
    'async.bytes',
    sum(copies, (s) => s.bytesRequested),
  );
  const sectors = sum(sites, (s) => s.sectors);
  values.set('flop.perGlobalByte', (2 * ffma) / (32 * sectors));
  return {
    value: (name) => {
      const value = values.get(name);
      if (value === undefined && /^instructions\./.test(name)) return 0;
      if (value === undefined)
        throw new RangeError(`There is no counter '${name}'; there are ${[...values.keys()].join(', ')}.`);
      return value;
    },
  };
}
