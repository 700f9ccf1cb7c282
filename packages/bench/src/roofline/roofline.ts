import type { Device } from '@ffma/core';
import type { ProfileResult } from '../profile/schema.js';
import { deviceFacts, hostFacts, toolVersions } from '../result/provenance.js';
import type { BenchResult } from '../result/schema.js';
import { isTiming } from '../timing/timing-device.js';
import { UsageError } from '../usage-error.js';
import { type Ceilings, type MeasureCeilingsOptions, measureCeilings } from './measure-ceilings.js';
import { pointsOf, ridgeOf } from './points.js';
import type { RooflineResult } from './schema.js';

export interface RooflineOptions extends MeasureCeilingsOptions {
  /** Results of ffma bench: those with times give points, those of the emulator with `--l2` modelled bytes. */
  readonly benches?: readonly BenchResult[] | undefined;
  /** Results of ffma profile, for bytes that were counted. */
  readonly profiles?: readonly ProfileResult[] | undefined;
}

/** Points of one GPU under the roof of another would mean nothing. @throws UsageError */
function checkSameGpu(name: string, { benches = [], profiles = [] }: RooflineOptions): void {
  const timed = benches.filter(({ rows }) => rows.some(({ times }) => times !== undefined));
  const other = [...timed, ...profiles].find(({ device }) => device.name !== name);
  if (other === undefined) return;
  throw new UsageError(
    `The ceilings are those of ${name}, but a ${other.kind} result was made on ${other.device.name}.`,
    {
      remedy: 'Measure both on the same kind of GPU.',
    },
  );
}

type Made = Pick<RooflineResult, 'host' | 'device'> & Ceilings;

function resultOf(made: Made, options: RooflineOptions): RooflineResult {
  checkSameGpu(made.device.name, options);
  const { points, notes } = pointsOf(made, options.benches ?? [], options.profiles ?? []);
  const { protocol, host, device, compute, memory, nominalTflops } = made;
  return {
    schemaVersion: 1,
    kind: 'roofline',
    createdAt: new Date().toISOString(),
    tool: toolVersions(),
    protocol,
    host,
    device,
    compute,
    memory,
    ...(nominalTflops === undefined ? {} : { nominalTflops }),
    ridge: ridgeOf(made),
    points,
    notes: [...made.notes, ...notes],
  };
}

/**
 * Measures the ceilings of a GPU and sets kernels under them: their speed from benchmarks, their FLOP per byte of DRAM
 * from profiles, or from the emulator's model of the L2 cache, which is marked.
 * @throws UsageError on a device without a clock, and for results of another GPU; UnsupportedError where a ceiling is
 * wrong; OutOfMemoryError
 */
export async function roofline(device: Device, options: RooflineOptions = {}): Promise<RooflineResult> {
  if (!isTiming(device)) {
    throw new UsageError(`Ceilings are measured by the clock of a GPU, and ${device.name} has none.`, {
      remedy: 'Use --device cuda, or take the ceilings of an earlier result with --ceilings.',
    });
  }
  checkSameGpu(device.name, options);
  const ceilings = await measureCeilings(device, options);
  return resultOf({ ...ceilings, host: hostFacts(), device: deviceFacts(device) }, options);
}

/**
 * The same under the ceilings that an earlier result has; nothing is measured, and no GPU is needed.
 * @throws UsageError for results of another GPU
 */
export function rooflineUnder(earlier: RooflineResult, options: RooflineOptions): RooflineResult {
  return resultOf(earlier, options);
}
