import { gemmProblem } from '@ffma/core';
import { launchFigures } from './launch-figures.js';
import type { NcuLaunch } from './ncu-page.js';
import type { ProfileRow } from './schema.js';
import type { ProfileOutcome } from './session.js';
import type { ProfileTask } from './task.js';

/** The launch that multiplies: the one that the plan calls so, else the longest. */
function mainOf({ main }: ProfileTask, launches: readonly NcuLaunch[]): number {
  if (main !== undefined) return main;
  const duration = (launch: NcuLaunch) => launch.figures.get('gpu__time_duration.sum') ?? 0;
  return launches.reduce(
    (best, launch, i) => (duration(launch) > duration(launches[best] as NcuLaunch) ? i : best),
    0,
  );
}

/** What a result file keeps of a task. */
export function asRow(task: ProfileTask, outcome: ProfileOutcome): ProfileRow {
  const { gemm, kernel } = task.kernel;
  const { alignment: _, ...problem } = gemmProblem(task.size);
  const { status, report } = outcome;
  const launches = status === 'profiled' ? outcome.launches : [];
  const main = mainOf(task, launches);
  return {
    id: gemm.id,
    kernel: kernel.name,
    package: { name: kernel.package.name, version: kernel.package.version },
    ...(gemm.role === undefined ? {} : { role: gemm.role }),
    problem,
    ...(report === undefined ? {} : { artefact: { ...report.artefact } }),
    status,
    ...(status === 'profiled' ? {} : { reason: outcome.reason }),
    launches:
      status === 'profiled'
        ? outcome.launches.map((launch, i) => launchFigures(launch, i === main, outcome.unknown))
        : [],
  };
}
