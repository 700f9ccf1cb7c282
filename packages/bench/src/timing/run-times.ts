import { benchResult } from '../bench/envelope.js';
import type { RunBenchOptions } from '../bench/options.js';
import type { Size } from '../bench/sizes.js';
import { compilesHere } from '../device/compile-here.js';
import type { SelectedKernel } from '../discover/select.js';
import { shape } from '../render/numbers.js';
import type { BenchResult } from '../result/schema.js';
import type { Entry } from './entrant.js';
import { flushBytes, protocolOf } from './protocol.js';
import { chooseReference } from './reference.js';
import { checkResumable, earlierSizes, keptPart, type SizePart } from './resume.js';
import { resultOf } from './time-rows.js';
import { timeSize } from './time-size.js';
import type { TimingDevice } from './timing-device.js';

const same = (x: SelectedKernel, y: SelectedKernel) => x.gemm.id === y.gemm.id && x.kernel === y.kernel;

const uniqueSizes = (sizes: readonly Size[]): Size[] => [
  ...new Map(sizes.map((size) => [shape(size), size])).values(),
];

/** The reference first; then the kernels asked for, without other references that nobody named. */
function entriesOf(selected: readonly SelectedKernel[], reference: SelectedKernel | undefined) {
  // As one of all it is there to be measured against, and may be missing.
  const asked = (one: SelectedKernel) => selected.some((other) => same(one, other) && other.named === true);
  const first: Entry[] = reference === undefined ? [] : [{ kernel: reference, asked: asked(reference) }];
  const others = selected.filter(
    (one) =>
      !(reference !== undefined && same(one, reference)) &&
      (one.gemm.role !== 'reference' || one.named === true),
  );
  return { reference: first[0], entries: [...first, ...others.map((kernel) => ({ kernel, asked: true }))] };
}

/**
 * Times kernels at sizes against a reference, in alternating rounds. See {@link timeSize} for what happens at each.
 * @throws UsageError for a reference that is not one kernel, or an earlier result that does not go with this one; DeviceLostError, after which no size follows
 */
export async function runTimes(
  device: TimingDevice,
  selected: readonly SelectedKernel[],
  options: RunBenchOptions,
): Promise<BenchResult> {
  const { sizes, discovery, only = () => true, signal, earlier, onStep, onRow, onSize } = options;
  const compile = await compilesHere(device, options.compile);
  const protocol = protocolOf(options.protocol);
  const { reference, entries } = entriesOf(selected, chooseReference(discovery, options.reference));
  const wanted = uniqueSizes(sizes);
  const parts = new Map(earlierSizes(earlier).map((part) => [shape(part.size), part]));
  let whole = 0;
  const parameters = { ...protocol, flushBytes: protocol.l2 === 'cold' ? flushBytes(device.limits) : 0 };
  // All that is known: of a size that is to be measured anew, what there was before, until then.
  const soFar = () =>
    benchResult(device, {
      protocol: { name: 'alternating-rounds', version: 2, parameters },
      rows: [...parts.values()].flatMap(({ rows }) => rows),
      sessions: [...parts.values()].flatMap(({ session }) => session ?? []),
      ...(whole < wanted.length ? { interrupted: true as const } : {}),
    });
  if (earlier !== undefined) checkResumable(earlier, soFar());
  const work = wanted.map((size) => {
    const own = entries.filter((entry) => entry === reference || only(entry.kernel, size));
    const compiled = own.filter(({ kernel }) => kernel.gemm.open === true).length;
    const kept = keptPart(parts.get(shape(size)), own, reference);
    return { size, entries: own, steps: 2 + compiled + 3 * own.length + protocol.rounds, kept };
  });
  const total = work.reduce((sum, { steps }) => sum + steps, 0);
  const keep = async (part: SizePart) => {
    parts.set(shape(part.size), part);
    if (part.session?.interrupted !== true) whole++;
    for (const row of part.rows) onRow?.(row);
    await onSize?.(soFar());
  };
  let before = 0;
  for (const { size, entries: own, steps, kept } of work) {
    if (signal?.aborted === true) break;
    let done = before;
    before += steps;
    if (kept !== undefined) {
      await keep(kept);
      continue;
    }
    const onWork = (what: string) => {
      onStep?.({ done: Math.min(done++, total), total, label: `${shape(size)} ${what}` });
    };
    const asked = { size, entries: own, reference, protocol, compile, signal, onWork };
    const timed = await timeSize(device, asked, resultOf);
    if (timed === undefined) break;
    await keep({ size, ...timed });
  }
  return soFar();
}
