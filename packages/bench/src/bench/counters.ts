import type { Device } from '@ffma/core';
import { counterFacts, type EmulatorDevice, type LaunchProfile } from '@ffma/emulator';
import type { LaunchCompiled, RowCounters } from '../result/schema.js';

/** A device that counts what its launches do; asked for by ability, not by kind. */
export type CountingDevice = Pick<EmulatorDevice, 'takeProfiles'> & Device;

export function isCounting(device: Device): device is CountingDevice {
  return 'takeProfiles' in device && (device as Partial<EmulatorDevice>).counters === true;
}

/** Figures that a row has of every kernel that was counted. */
export const counterNames: readonly string[] = [
  'instructions.total',
  'ffma.share',
  'overhead.perFfma',
  'flop.perGlobalByte',
  'async.bytes',
  'static.total',
  'static.ffma',
  'static.ffmaShare',
  'static.overheadPerFfma',
  'barriers.perThread',
  'atomics.requests',
  'global.bytes',
  'shared.bytes',
  'local.bytes',
  'shared.wavefronts',
  'shared.bankConflicts',
  'shared.wavefrontsPerFfma',
  ...['load', 'store', 'atomic', 'copy'].flatMap((kind) =>
    ['wavefronts', 'idealWavefronts', 'bankConflicts', 'wavefrontsPerRequest', 'idealPerRequest'].map(
      (figure) => `shared.${kind}.${figure}`,
    ),
  ),
  ...['load', 'store', 'atomic'].flatMap((kind) => [
    ...['requests', 'bytesRequested', 'sectors', 'bytesUsed', 'sectorsPerRequest', 'bytesPerSector'].map(
      (figure) => `global.${kind}.${figure}`,
    ),
    ...['shared', 'local'].flatMap((space) => [
      `${space}.${kind}.requests`,
      `${space}.${kind}.bytesRequested`,
    ]),
  ]),
];

const modelNames = [
  'readHitRate',
  'readSectors',
  'writtenSectors',
  'dramReadBytes',
  'dramWrittenBytes',
  'dirtyBytes',
].map((figure) => `l2Model.${figure}`);

/**
 * Profiles of the launches of one plan, as a result row keeps them.
 * @param compiled what ptxas said of a launch
 */
export function rowCounters(
  profiles: readonly LaunchProfile[],
  compiled: (profile: LaunchProfile) => LaunchCompiled | undefined = () => undefined,
): RowCounters {
  const facts = counterFacts(profiles);
  const modelled = profiles.some(({ l2 }) => l2 !== undefined);
  const values = [...counterNames, ...(modelled ? modelNames : [])].map((name) => {
    const value = facts.value(name);
    return [name, Number.isFinite(value) ? value : null] as const;
  });
  return {
    level: 'ptx',
    values: Object.fromEntries(values),
    launches: profiles.map((profile) => launchCounters(profile, compiled(profile))),
  };
}

function launchCounters(
  { kernel, config, instructions, staticInstructions, sites, l2 }: LaunchProfile,
  compiled: LaunchCompiled | undefined,
): RowCounters['launches'][number] {
  return {
    kernel,
    grid: [...config.grid],
    block: [...config.block],
    sharedBytes: config.sharedBytes ?? 0,
    instructions: { ...instructions } as Record<string, number>,
    staticInstructions: { ...staticInstructions } as Record<string, number>,
    ...(compiled === undefined ? {} : { compiled }),
    ...(l2 === undefined ? {} : { l2: { ...l2 } }),
    sites: sites.map((site) => ({ ...site })),
  };
}
