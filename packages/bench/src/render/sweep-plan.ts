import { gemmFlops } from '@ffma/core';
import type { Size } from '../bench/sizes.js';
import type { SweepPlan } from '../sweep/plan-sweep.js';
import { launchesOf, type Rung, type SweepProtocol } from '../sweep/protocol.js';
import { spaceText } from '../sweep/space.js';
import { count, duration, shape } from './numbers.js';
import type { Style } from './style.js';
import { pointsText, reasonLines } from './sweep.js';
import { renderTable } from './table.js';
import { hang } from './text.js';

/** What an estimate takes for granted; it is printed with it. */
const assumed = { compileS: 6, verifyS: 1, ofPeak: 0.5, flushUs: 150 };

/** Of the machine that a sweep would run on. */
export interface EstimateFor {
  readonly jobs: number;
  /** FP32 peak of the GPU; undefined where there is none here. */
  readonly peakTflops: number | undefined;
}

function rungRows(size: Size, rungs: readonly Rung[], { heat }: SweepProtocol) {
  return rungs.map(({ rung, entrants, rounds, launches }, i) => ({
    cells: [
      i === 0 ? shape(size) : '',
      rung === 'final' ? 'final' : String(rung + 1),
      String(entrants),
      rung === 'final' ? '1' : String(Math.ceil(entrants / heat)),
      String(rounds),
      String(launches),
    ],
  }));
}

/** Time of all launches on a GPU, with their flushes, in ms. */
function gpuMs(plan: SweepPlan, protocol: SweepProtocol, peakTflops: number): number {
  return plan.sizes.reduce((sum, { size, rungs }) => {
    const us =
      gemmFlops(size) / (peakTflops * 1e6 * assumed.ofPeak) + (protocol.l2 === 'cold' ? assumed.flushUs : 0);
    return sum + (launchesOf(rungs, protocol) * us) / 1000;
  }, 0);
}

function estimate(plan: SweepPlan, protocol: SweepProtocol, { jobs, peakTflops }: EstimateFor): string[] {
  const compileMs = (plan.own.length * assumed.compileS * 1000) / jobs;
  const launches = plan.sizes.reduce((sum, { rungs }) => sum + launchesOf(rungs, protocol), 0);
  const verifyMs = plan.own.length * assumed.verifyS * 1000;
  const timing =
    peakTflops === undefined
      ? `${launches} timed launches (no GPU here whose peak would say how long)`
      : `${duration(gpuMs(plan, protocol, peakTflops))} for ${launches} timed launches at ${assumed.ofPeak * 100} % of the FP32 peak`;
  return [
    `At most, where nothing is cached: ${duration(compileMs)} to compile at ${assumed.compileS} s each on ${count(jobs, 'core')}, ` +
      `${duration(verifyMs)} to verify at ${assumed.verifyS} s each, ${timing}.`,
  ];
}

/** What a sweep would do, for a terminal. */
export function renderSweepPlan(
  plan: SweepPlan,
  protocol: SweepProtocol,
  estimateFor: EstimateFor,
  timed: boolean,
  style: Style,
  width: number,
): string[] {
  const { kernel, space, pruned, own } = plan;
  const part = own.length === pruned.candidates.length ? '' : `, ${own.length} of them in this shard`;
  const columns = [
    { title: 'size' },
    { title: 'rung', align: 'right' as const },
    { title: 'candidates', align: 'right' as const },
    { title: 'heats', align: 'right' as const },
    { title: 'rounds', align: 'right' as const },
    { title: 'launches', align: 'right' as const },
  ];
  const rows = plan.sizes.flatMap(({ size, rungs }) => rungRows(size, rungs, protocol));
  const schedule = timed
    ? [
        '',
        ...renderTable({ columns, rows }, width, style),
        '',
        ...estimate(plan, protocol, estimateFor).flatMap((line) => hang('', line, width)),
      ]
    : [
        '',
        ...hang(
          '',
          `Without a GPU, each of the ${own.length} is compiled and verified; --by names a counter to rank them by.`,
          width,
        ),
      ];
  return [
    ...hang(`${style.bold(kernel.name)}  `, spaceText(space), width),
    ...hang(
      '  ',
      `${pointsText({ ...pruned, reasons: [...pruned.reasons], candidates: pruned.candidates.length })}${part}`,
      width,
    ),
    ...reasonLines(pruned.reasons, width),
    ...schedule,
  ];
}
