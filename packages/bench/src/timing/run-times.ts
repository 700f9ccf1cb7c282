import { benchResult } from '../bench/envelope.js';
import type { RunBenchOptions } from '../bench/options.js';
import { scalarsOf } from '../bench/scalars.js';
import { compilesHere } from '../device/compile-here.js';
import type { SelectedKernel } from '../discover/select.js';
import { shape } from '../render/numbers.js';
import { gitFacts } from '../result/git.js';
import type { BenchResult } from '../result/schema.js';
import { UsageError } from '../usage-error.js';
import { planTimes, protocolParameters } from './plan-times.js';
import { protocolOf } from './protocol.js';
import { checkResumable, earlierSizes, keptPart, type SizePart } from './resume.js';
import { TimeLeft } from './time-left.js';
import { resultOf } from './time-rows.js';
import { timeSize } from './time-size.js';
import type { TimingDevice } from './timing-device.js';
import { type SizeWork, type WorkKind, workKinds } from './work.js';

/** A device that can make launches ready as a graph has this; core asks for it in the same way. */
function checkGraphs(device: TimingDevice): void {
  if ('prepareLaunches' in device) return;
  throw new UsageError(`Launches are asked for as CUDA graphs, but ${device.name} has no graphs.`, {
    remedy: 'Leave --graph out.',
  });
}

const countOf = (work: SizeWork) => workKinds.reduce((sum, kind) => sum + work[kind].count, 0);

/**
 * Times kernels at sizes against a reference, in alternating rounds. See {@link timeSize} for what happens at each.
 * @throws UsageError for a reference that is not one kernel, for graphs on a device that has none, or for an earlier
 * result that does not go with this one; DeviceLostError, after which no size follows
 */
export async function runTimes(
  device: TimingDevice,
  selected: readonly SelectedKernel[],
  options: RunBenchOptions,
): Promise<BenchResult> {
  const { discovery, uuid, signal, earlier, onStep, onRow, onSize } = options;
  const protocol = protocolOf(options.protocol);
  if (protocol.graph) checkGraphs(device);
  const scalars = scalarsOf(options);
  const plan = planTimes(selected, options, protocol, device);
  const compile = await compilesHere(device, options.compile);
  const git = discovery.root === undefined ? undefined : await gitFacts(discovery.root);
  const parts = new Map(earlierSizes(earlier).map((part) => [shape(part.size), part]));
  let whole = 0;
  const parameters = protocolParameters(protocol, scalars, device);
  // All that is known: of a size that is to be measured anew, what there was before, until then.
  const soFar = () =>
    benchResult(device, {
      protocol: { name: 'alternating-rounds', version: 3, parameters },
      git,
      uuid,
      rows: [...parts.values()].flatMap(({ rows }) => rows),
      sessions: [...parts.values()].flatMap(({ session }) => session ?? []),
      ...(whole < plan.sizes.length ? { interrupted: true as const } : {}),
    });
  if (earlier !== undefined) checkResumable(earlier, soFar());
  const sizes = plan.sizes.map((planned) => ({
    ...planned,
    kept: keptPart(parts.get(shape(planned.size)), planned.entries, plan.reference),
  }));
  const measured = sizes.filter(({ kept }) => kept === undefined);
  const left = new TimeLeft(measured.map(({ work }) => work));
  const total = measured.reduce((sum, { work }) => sum + countOf(work), 0);
  const keep = async (part: SizePart) => {
    parts.set(shape(part.size), part);
    if (part.session?.interrupted !== true) whole++;
    for (const row of part.rows) onRow?.(row);
    await onSize?.(soFar());
  };
  let before = 0;
  for (const { size, entries, work, kept } of sizes) {
    if (signal?.aborted === true) break;
    if (kept !== undefined) {
      await keep(kept);
      continue;
    }
    let done = before;
    before += countOf(work);
    left.beginSize(measured.findIndex((one) => one.size === size));
    const onWork = (kind: WorkKind, what: string) => {
      left.begin(kind);
      const step = { done: Math.min(done++, total), total, label: `${shape(size)} ${what}` };
      onStep?.({ ...step, leftMs: left.ms });
    };
    const { reference } = plan;
    const asked = { size, scalars, entries, reference, protocol, compile, signal, onWork };
    const timed = await timeSize(device, asked, resultOf);
    if (timed === undefined) break;
    await keep({ size, ...timed });
  }
  return soFar();
}
