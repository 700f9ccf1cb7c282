import type { LaunchProfile, SiteCounters } from './launch-profile.js';

type Put = (name: string, value: number) => void;
const WARP = 32;

const sum = (sites: readonly SiteCounters[], of: (site: SiteCounters) => number) =>
  sites.reduce((total, site) => total + of(site), 0);

const kinds = ['load', 'store', 'atomic', 'copy'] as const;
const spaces = ['global', 'shared', 'local'] as const;

function globalFacts(name: string, own: readonly SiteCounters[], requests: number, put: Put): void {
  const sectors = sum(own, (s) => s.sectors);
  const used = sum(own, (s) => s.bytesUsed);
  put(`${name}.sectors`, sectors);
  put(`${name}.bytesUsed`, used);
  put(`${name}.sectorsPerRequest`, sectors / requests);
  put(`${name}.bytesPerSector`, used / sectors);
}

function sharedFacts(name: string, own: readonly SiteCounters[], requests: number, put: Put): void {
  const wavefronts = sum(own, (s) => s.wavefronts);
  const ideal = sum(own, (s) => s.idealWavefronts);
  put(`${name}.wavefronts`, wavefronts);
  put(`${name}.idealWavefronts`, ideal);
  put(`${name}.bankConflicts`, wavefronts - ideal);
  put(`${name}.wavefrontsPerRequest`, wavefronts / requests);
  put(`${name}.idealPerRequest`, ideal / requests);
}

/** Figures of memory accesses, by space and kind. */
export function spaceFacts(sites: readonly SiteCounters[], ffma: number, put: Put): void {
  for (const space of spaces) {
    const all = sites.filter((site) => site.space === space);
    put(
      `${space}.bytes`,
      sum(all, (s) => s.bytesRequested),
    );
    for (const kind of kinds) {
      if (kind === 'copy' && space !== 'shared') continue;
      const own = all.filter((site) => site.kind === kind);
      const name = `${space}.${kind}`;
      const requests = sum(own, (s) => s.requests);
      put(`${name}.requests`, requests);
      put(
        `${name}.bytesRequested`,
        sum(own, (s) => s.bytesRequested),
      );
      if (space === 'global') globalFacts(name, own, requests, put);
      if (space === 'shared') sharedFacts(name, own, requests, put);
    }
  }
  const wavefronts = sum(sites, (s) => s.wavefronts);
  put('shared.wavefronts', wavefronts);
  put('shared.bankConflicts', wavefronts - sum(sites, (s) => s.idealWavefronts));
  put('shared.wavefrontsPerFfma', (WARP * wavefronts) / ffma);
  put(
    'atomics.requests',
    sum(
      sites.filter(({ kind }) => kind === 'atomic'),
      (s) => s.requests,
    ),
  );
}

/** Figures of the model of the L2 cache, summed over launches; NaN where it was not asked for. */
export function l2Facts(profiles: readonly LaunchProfile[], put: Put): void {
  const models = profiles.flatMap(({ l2 }) => (l2 === undefined ? [] : [l2]));
  const total = (of: (model: (typeof models)[number]) => number) =>
    models.length === 0 ? Number.NaN : models.reduce((all, model) => all + of(model), 0);
  const read = total((l2) => l2.readSectors);
  put('l2Model.readSectors', read);
  put(
    'l2Model.writtenSectors',
    total((l2) => l2.writtenSectors),
  );
  put('l2Model.readHitRate', total((l2) => l2.readHits) / read);
  put(
    'l2Model.dramReadBytes',
    total((l2) => l2.dramReadBytes),
  );
  put(
    'l2Model.dramWrittenBytes',
    total((l2) => l2.dramWrittenBytes),
  );
  put(
    'l2Model.dirtyBytes',
    total((l2) => l2.dirtyBytes),
  );
}
