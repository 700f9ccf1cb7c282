import {
  type CountedResources,
  type Device,
  type GemmShape,
  gemmProblem,
  type ManifestArtefact,
  occupancyOf,
  type Plan,
  type PlannedLaunch,
  type Resources,
  resourcesOf,
  type Variant,
} from '@ffma/core';
import { hasFfmaCode, sentenceOf } from '../error-sentence.js';
import type { InspectedLaunch, InspectedPlan } from './inspection.js';

type PlanningDevice = Pick<Device, 'name' | 'arch' | 'limits'>;

const product = (extent: readonly number[]) => extent.reduce((x, y) => x * y, 1);

/** Resources as ptxas gave them: of machine code for this device where there is some, else of any. */
function counted(artefacts: readonly ManifestArtefact[], arch: string): CountedResources | undefined {
  const known = artefacts.filter(({ resources }) => resources !== undefined);
  return (known.find((artefact) => artefact.arch === arch) ?? known.at(-1))?.resources;
}

function launchOf(
  launch: PlannedLaunch,
  variant: Variant,
  resources: Resources,
  device: PlanningDevice,
): InspectedLaunch {
  // A plan may name only entries that there are.
  const own = resources[launch.entry] ?? resources.main;
  const threads = product(launch.block);
  const staticSharedBytes = own.sharedBytes;
  const sharedBytes = staticSharedBytes + launch.sharedBytes;
  const occupancy = occupancyOf({ threads, registersPerThread: own.registers, sharedBytes }, device.limits);
  const blocks = product(launch.grid);
  const resident = occupancy.blocksPerSm * device.limits.smCount;
  return {
    entry: launch.entry,
    symbol: variant.symbols[launch.entry] ?? launch.entry,
    threads,
    sharedBytes,
    staticSharedBytes,
    dynamicSharedBytes: launch.sharedBytes,
    resources: own,
    occupancy,
    blocks,
    waves: resident > 0 ? blocks / resident : undefined,
  };
}

/** A plan, or why there is none: the problem is not taken, or no block fits. */
function planned(make: () => Plan, refusal: string | undefined) {
  if (refusal !== undefined) return { refusal, plan: undefined };
  try {
    return { refusal: undefined, plan: make() };
  } catch (error) {
    if (!hasFfmaCode(error) || error.code !== 'FFMA_UNSUPPORTED') throw error;
    return { refusal: sentenceOf(error), plan: undefined };
  }
}

/** Plans a problem as a device would, without running it. */
export function planOf(
  variant: Variant,
  shape: GemmShape,
  device: PlanningDevice,
  artefacts: readonly ManifestArtefact[],
): InspectedPlan {
  const problem = gemmProblem(shape);
  const refused = variant.refusal(problem, device);
  const filled = refused === undefined && variant.open ? variant.forShape(problem) : variant;
  const resources = resourcesOf(filled, counted(artefacts, device.arch));
  const { refusal, plan } = planned(() => filled.plan(problem, device, resources), refused);
  return {
    problem: { m: problem.m, n: problem.n, k: problem.k },
    device: { name: device.name, arch: device.arch },
    refusal,
    plan,
    resources,
    launches: (plan?.launches ?? []).map((launch) => launchOf(launch, filled, resources, device)),
  };
}
