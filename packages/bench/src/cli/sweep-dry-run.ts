import { availableParallelism } from 'node:os';
import type { Device } from '@ffma/core';
import type { SelectedKernel } from '../discover/select.js';
import { renderSweepPlan } from '../render/sweep-plan.js';
import { planSweep } from '../sweep/plan-sweep.js';
import { sweepProtocol } from '../sweep/protocol.js';
import type { SearchSpace } from '../sweep/space.js';
import { peakOf } from '../timing/peak.js';
import { isTiming } from '../timing/timing-device.js';
import { type Io, look, print, printJson } from './io.js';
import { protocolFrom, type SweepCommandOptions, usualSizes } from './sweep-options.js';

/** Shows what a sweep would do. */
export function dryRun(
  io: Io,
  selected: SelectedKernel,
  device: Device,
  space: readonly SearchSpace[],
  options: SweepCommandOptions,
): void {
  const protocol = sweepProtocol(protocolFrom(options));
  // Where there is no GPU yet, as on the host that hands out shards, the schedule is that of one.
  const timed = options.device !== 'emulator';
  const plan = planSweep(selected, {
    sizes: options.sizes ?? usualSizes(timed),
    space,
    shard: options.shard,
    protocol,
  });
  if (options.json === '-') {
    const { pruned, own, sizes } = plan;
    const { candidates: _, ...counts } = pruned;
    printJson(io, {
      kernel: selected.kernel.name,
      space: plan.space,
      ...counts,
      candidates: own.map(({ id }) => id),
      sizes,
      protocol,
    });
    return;
  }
  const peak = isTiming(device) ? peakOf(device) : 'none';
  const machine = {
    jobs: options.jobs ?? availableParallelism(),
    peakTflops: typeof peak === 'string' ? undefined : peak.tflops,
  };
  const { style, width } = look(io);
  print(io, renderSweepPlan(plan, protocol, machine, timed, style, width));
}
