import type { CounterFacts } from '@ffma/core';
import type { InstructionClass, LaunchProfile } from './launch-profile.js';
import { l2Facts, spaceFacts } from './space-facts.js';

type Mix = Readonly<Partial<Record<InstructionClass, number>>>;

/** Instructions by class of several launches, under names that start with `prefix`. Returns how many, and FFMAs. */
function mixFacts(prefix: string, mixes: readonly Mix[], values: Map<string, number>) {
  let total = 0;
  for (const mix of mixes) {
    for (const [name, count] of Object.entries(mix)) {
      total += count;
      const key = `${prefix}.${name}`;
      values.set(key, (values.get(key) ?? 0) + count);
    }
  }
  values.set(`${prefix}.total`, total);
  return { total, ffma: values.get(`${prefix}.ffma`) ?? 0 };
}

const blocksOf = ({ config: { grid } }: LaunchProfile) => grid[0] * grid[1] * grid[2];
const threadsOf = ({ config: { block } }: LaunchProfile) => block[0] * block[1] * block[2];

/**
 * Sums launch profiles (the launches of one plan) and gives named figures:
 *
 * - `instructions.total`, `instructions.<class>`: executed, summed over threads; `ffma.share`: FFMA ÷ total;
 *   `overhead.perFfma`: other instructions ÷ FFMA
 * - `static.total`, `static.<class>`, `static.ffmaShare`, `static.overheadPerFfma`: the same of the PTX as it stands
 * - `barriers.perThread`: barriers that a thread comes to, on average
 * - `<space>.bytes`, `<space>.<kind>.requests`, `.bytesRequested` with space `global`, `shared` or `local`, and kind
 *   `load`, `store` or `atomic`; in shared memory also `copy`: what `cp.async` and copies in bulk write
 * - `global.<kind>.sectors`, `.bytesUsed`, `.sectorsPerRequest`, `.bytesPerSector`
 * - `shared.<kind>.wavefronts`, `.idealWavefronts`, `.bankConflicts` (their difference), `.wavefrontsPerRequest`,
 *   `.idealPerRequest`; `shared.wavefronts`, `shared.bankConflicts` of all kinds; `shared.wavefrontsPerFfma`: for each
 *   FFMA of a warp
 * - `atomics.requests`
 * - `async.bytes`: what copies by `cp.async`, and in bulk, wrote to shared memory, zeros included; what they read is a
 *   global load
 * - `flop.perGlobalByte`: 2·FFMA ÷ (32 · global sectors)
 * - `l2Model.readHitRate`, `.readSectors`, `.writtenSectors`, `.dramReadBytes`, `.dramWrittenBytes`, `.dirtyBytes`:
 *   of a model of the cache, where it was asked for; else NaN
 *
 * A figure that nothing contributed to is NaN where it is a ratio, 0 where it is a count.
 */
export function counterFacts(profiles: readonly LaunchProfile[]): CounterFacts {
  const values = new Map<string, number>();
  const put = (name: string, value: number) => {
    values.set(name, value);
  };
  const ran = mixFacts(
    'instructions',
    profiles.map(({ instructions }) => instructions),
    values,
  );
  put('ffma.share', ran.ffma / ran.total);
  put('overhead.perFfma', (ran.total - ran.ffma) / ran.ffma);
  const written = mixFacts(
    'static',
    profiles.map(({ staticInstructions }) => staticInstructions),
    values,
  );
  put('static.ffmaShare', written.ffma / written.total);
  put('static.overheadPerFfma', (written.total - written.ffma) / written.ffma);
  const threads = profiles.reduce((sum, profile) => sum + blocksOf(profile) * threadsOf(profile), 0);
  put('barriers.perThread', (values.get('instructions.barrier') ?? 0) / threads);
  const sites = profiles.flatMap((profile) => profile.sites);
  spaceFacts(sites, ran.ffma, put);
  put('async.bytes', values.get('shared.copy.bytesRequested')!);
  const sectors = sites.reduce((sum, site) => sum + site.sectors, 0);
  put('flop.perGlobalByte', (2 * ran.ffma) / (32 * sectors));
  l2Facts(profiles, put);
  return {
    value: (name) => {
      const value = values.get(name);
      if (value === undefined && /^(instructions|static)\./.test(name)) return 0;
      if (value === undefined)
        throw new RangeError(`There is no counter '${name}'; there are ${[...values.keys()].join(', ')}.`);
      return value;
    },
  };
}
