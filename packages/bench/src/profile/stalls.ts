import type { Figures } from './metrics.js';
import type { Stall } from './schema.js';

/**
 * Why a warp does not issue, as ncu names it; GPUs differ in which they have. `selected` is left out: it is the cycle
 * in which the warp does issue.
 */
export const stallReasons = [
  ...['barrier', 'branch_resolving', 'dispatch_stall', 'drain', 'gmma', 'imc_miss', 'lg_throttle'],
  ...['long_scoreboard', 'math_pipe_throttle', 'membar', 'mio_throttle', 'misc', 'no_instruction'],
  ...['not_selected', 'short_scoreboard', 'sleeping', 'tex_throttle', 'wait', 'warpgroup_arrive'],
] as const;

export type StallReason = (typeof stallReasons)[number];

/** The metric that says how many warps wait for a reason, for each instruction that is issued. */
export function stallMetric(reason: StallReason): string {
  return `smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio`;
}

/** Reasons that a launch had, the worst first. */
export function stallsOf(figures: Figures): Stall[] {
  return stallReasons
    .flatMap((reason) => {
      const perIssue = figures(stallMetric(reason));
      return perIssue === undefined ? [] : [{ reason, perIssue }];
    })
    .sort((x, y) => y.perIssue - x.perIssue);
}
