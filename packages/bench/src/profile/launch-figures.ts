import { profileMetrics } from './metrics.js';
import type { NcuLaunch } from './ncu-page.js';
import { opcodesOf } from './opcodes.js';
import type { ProfileLaunch } from './schema.js';
import { stallsOf } from './stalls.js';

function missingReason(
  asks: readonly string[],
  { figures }: NcuLaunch,
  unknown: ReadonlySet<string>,
): string {
  const lacking = asks.filter((ask) => !figures.has(ask));
  const never = lacking.filter((ask) => unknown.has(ask));
  if (never.length > 0) return `This ncu does not have ${never.join(' and ')} for this GPU.`;
  return `ncu gave no ${lacking.join(' and no ')}.`;
}

/**
 * A launch with every figure of a profile; what ncu did not give is null, with the reason.
 * @param unknown metrics that were not asked for because this ncu does not have them
 */
export function launchFigures(launch: NcuLaunch, main: boolean, unknown: ReadonlySet<string>): ProfileLaunch {
  const figures = (name: string) => launch.figures.get(name);
  const metrics: Record<string, number | null> = {};
  const missing: Record<string, string> = {};
  for (const { name, asks, of } of profileMetrics) {
    const value = of(figures);
    metrics[name] = value ?? null;
    if (value === undefined) missing[name] = missingReason(asks, launch, unknown);
  }
  const opcodes = opcodesOf(launch);
  return {
    kernel: launch.kernel,
    main,
    ...(launch.grid === undefined ? {} : { grid: [...launch.grid] }),
    ...(launch.block === undefined ? {} : { block: [...launch.block] }),
    metrics,
    missing,
    stalls: stallsOf(figures),
    ...(opcodes === undefined ? {} : { opcodes }),
  };
}
