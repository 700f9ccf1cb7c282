import type { LaunchConfig } from '@ffma/core';
import type { InstructionClass, LaunchProfile, SiteCounters } from '../counters/launch-profile.js';
import { kernelPlace } from '../ptx/kernel-place.js';
import { FIGURES } from '../runtime/log-processor.js';
import type { WorkerCounts } from '../runtime/messages.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';

/** Adds the workers' counts up to one profile. */
export function launchProfile(
  kernel: Omit<TranslatedKernel, 'wasm'>,
  config: LaunchConfig,
  counts: readonly WorkerCounts[],
): LaunchProfile {
  const instructions: Partial<Record<InstructionClass, number>> = {};
  kernel.classes.forEach((classes, block) => {
    const executions = counts.reduce((sum, { blocks }) => sum + blocks[block]!, 0);
    if (executions === 0) return;
    for (const [name, each] of Object.entries(classes)) {
      const key = name as InstructionClass;
      instructions[key] = (instructions[key] ?? 0) + executions * each;
    }
  });
  const sites = kernel.sites.map((site, index): SiteCounters => {
    const figure = (offset: number) =>
      counts.reduce((sum, { sites }) => sum + sites[index * FIGURES.count + offset]!, 0);
    return {
      ptxLine: site.line,
      instruction: site.text,
      ...(site.source === undefined ? {} : { source: kernelPlace(site.source) }),
      space: site.space === 'shared' || site.space === 'local' ? site.space : 'global',
      kind: site.kind,
      requests: figure(FIGURES.requests),
      sectors: figure(FIGURES.sectors),
      bytesRequested: figure(FIGURES.bytesRequested),
      bytesUsed: figure(FIGURES.bytesUsed),
    };
  });
  return { kernel: kernel.name, config, instructions, sites };
}
