import type { Device } from '@ffma/core';
import { counterFacts, type EmulatorDevice, type LaunchProfile } from '@ffma/emulator';
import type { RowCounters } from '../result/schema.js';

/** A device that counts what its launches do; asked for by ability, not by kind. */
export type CountingDevice = Pick<EmulatorDevice, 'takeProfiles'> & Device;

export function isCounting(device: Device): device is CountingDevice {
  return 'takeProfiles' in device && (device as Partial<EmulatorDevice>).counters === true;
}

const valueNames = [
  'instructions.total',
  'ffma.share',
  'overhead.perFfma',
  'flop.perGlobalByte',
  'async.bytes',
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

/** Profiles of the launches of one plan, as a result row keeps them. */
export function rowCounters(profiles: readonly LaunchProfile[]): RowCounters {
  const facts = counterFacts(profiles);
  const values = valueNames.map((name) => {
    const value = facts.value(name);
    return [name, Number.isFinite(value) ? value : null] as const;
  });
  return {
    level: 'ptx',
    values: Object.fromEntries(values),
    launches: profiles.map(({ kernel, config, instructions, sites }) => ({
      kernel,
      grid: [...config.grid],
      block: [...config.block],
      sharedBytes: config.sharedBytes ?? 0,
      instructions: { ...instructions } as Record<string, number>,
      sites: sites.map((site) => ({ ...site })),
    })),
  };
}
