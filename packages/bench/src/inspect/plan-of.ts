import {
  type Device,
  type GemmShape,
  gemmProblem,
  type ManifestArtefact,
  type Occupancy,
  occupancyOf,
  type PlannedLaunch,
  type Resources,
  resourcesOf,
  type Variant,
} from '@ffma/core';
import type { InspectedLaunch, InspectedPlan } from './inspection.js';

type PlanningDevice = Pick<Device, 'name' | 'arch' | 'limits'>;

const product = (extent: readonly number[]) => extent.reduce((x, y) => x * y, 1);

/** Registers as ptxas gave them: of machine code for this device where there is some, else of any. */
function measured(artefacts: readonly ManifestArtefact[], arch: string): ManifestArtefact | undefined {
  const known = artefacts.filter((artefact) => artefact.registers !== undefined);
  return known.find((artefact) => artefact.arch === arch) ?? known.at(-1);
}

function launchOf(
  launch: PlannedLaunch,
  variant: Variant,
  resources: Resources,
  device: PlanningDevice,
): InspectedLaunch {
  const threads = product(launch.block);
  const staticSharedBytes = resources.sharedBytes;
  const sharedBytes = staticSharedBytes + launch.sharedBytes;
  const occupancy: Occupancy | undefined = resources.estimated
    ? undefined
    : occupancyOf({ threads, registersPerThread: resources.registers, sharedBytes }, device.limits);
  const blocks = product(launch.grid);
  const resident = (occupancy?.blocksPerSm ?? 0) * device.limits.smCount;
  return {
    entry: launch.entry,
    symbol: variant.symbols[launch.entry] ?? launch.entry,
    threads,
    sharedBytes,
    staticSharedBytes,
    dynamicSharedBytes: launch.sharedBytes,
    blocks,
    waves: resident > 0 ? blocks / resident : undefined,
    occupancy,
  };
}

/** Plans a problem as a device would, without running it. */
export function planOf(
  variant: Variant,
  shape: GemmShape,
  device: PlanningDevice,
  artefacts: readonly ManifestArtefact[],
): InspectedPlan {
  const problem = gemmProblem(shape);
  const resources = resourcesOf(variant, measured(artefacts, device.arch) ?? {});
  const refusal = variant.refusal(problem, device);
  const filled = refusal === undefined && variant.open ? variant.forShape(problem) : variant;
  const plan = refusal === undefined ? filled.plan(problem, device, resources) : undefined;
  return {
    problem: { m: problem.m, n: problem.n, k: problem.k },
    device: { name: device.name, arch: device.arch },
    refusal,
    plan,
    resources,
    launches: (plan?.launches ?? []).map((launch) => launchOf(launch, filled, resources, device)),
  };
}
