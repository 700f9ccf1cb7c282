import type { LaunchConfig } from '@ffma/core';
import { type L2Figures, type L2Parameters, modelL2 } from '../caches/l2-model.js';
import type { InstructionClass, LaunchProfile, SiteCounters } from '../counters/launch-profile.js';
import { kernelPlace } from '../ptx/kernel-place.js';
import { FIGURES } from '../runtime/log-processor.js';
import type { WorkerCounts } from '../runtime/messages.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';

/** Models the cache over the blocks that were recorded, from the first one on without a gap. */
function l2Figures({ grid }: LaunchConfig, counts: readonly WorkerCounts[], l2: L2Parameters): L2Figures {
  const recorded = counts.flatMap(({ traffic }) => traffic).sort((x, y) => x.block - y.block);
  const whole = recorded.filter(({ block }, index) => block === index);
  return modelL2(whole, grid[0] * grid[1] * grid[2], l2);
}

/**
 * Adds the workers' counts up to one profile.
 * @param l2 what the model of the cache assumes; undefined: nothing is modelled
 */
export function launchProfile(
  kernel: Omit<TranslatedKernel, 'wasm'>,
  config: LaunchConfig,
  counts: readonly WorkerCounts[],
  l2?: L2Parameters,
): LaunchProfile {
  const staticInstructions: Partial<Record<InstructionClass, number>> = {};
  const instructions: Partial<Record<InstructionClass, number>> = {};
  kernel.classes.forEach((classes, block) => {
    for (const [name, each] of Object.entries(classes)) {
      const key = name as InstructionClass;
      staticInstructions[key] = (staticInstructions[key] ?? 0) + each;
    }
    const executions = counts.reduce((sum, { blocks }) => sum + blocks[block]!, 0);
    if (executions === 0) return;
    for (const [name, each] of Object.entries(classes)) {
      const key = name as InstructionClass;
      instructions[key] = (instructions[key] ?? 0) + executions * each;
    }
  });
  const sites = kernel.sites.flatMap((site, index): SiteCounters[] => {
    // What the host does is no request of a warp.
    if (site.kind === 'bulk') return [];
    const figure = (offset: number) =>
      counts.reduce((sum, { sites }) => sum + sites[index * FIGURES.count + offset]!, 0);
    const counters: SiteCounters = {
      ptxLine: site.line,
      instruction: site.text,
      ...(site.source === undefined ? {} : { source: kernelPlace(site.source) }),
      space: site.space === 'shared' || site.space === 'local' ? site.space : 'global',
      kind: site.kind,
      requests: figure(FIGURES.requests),
      sectors: figure(FIGURES.sectors),
      bytesRequested: figure(FIGURES.bytesRequested),
      bytesUsed: figure(FIGURES.bytesUsed),
      wavefronts: figure(FIGURES.wavefronts),
      idealWavefronts: figure(FIGURES.idealWavefronts),
    };
    return [counters];
  });
  return {
    kernel: kernel.name,
    config,
    instructions,
    staticInstructions,
    sites,
    ...(l2 === undefined ? {} : { l2: l2Figures(config, counts, l2) }),
  };
}
