import type { RunBenchOptions } from '../bench/options.js';
import { type Scalars, scalarsOf } from '../bench/scalars.js';
import { MOST_BATCH, type Size } from '../bench/sizes.js';
import { uniqueSizes } from '../bench/suites.js';
import type { SelectedKernel } from '../discover/select.js';
import { UsageError } from '../usage-error.js';
import { CONFIDENCE } from './bootstrap.js';
import type { Entry } from './entrant.js';
import { type Peak, peakOf } from './peak.js';
import { flushBytes, type Protocol } from './protocol.js';
import { chooseReference } from './reference.js';
import type { TimingDevice } from './timing-device.js';
import { ASSUMED_TFLOPS, type SizeWork, workOf } from './work.js';

/** What runs at one size. */
export interface PlannedSize {
  readonly size: Size;
  /** The reference first. */
  readonly entries: readonly Entry[];
  readonly work: SizeWork;
}

export interface TimesPlan {
  readonly reference: Entry | undefined;
  readonly sizes: readonly PlannedSize[];
}

const same = (x: SelectedKernel, y: SelectedKernel) => x.gemm.id === y.gemm.id && x.kernel === y.kernel;

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

function checkBatches(sizes: readonly Size[]): void {
  const wrong = sizes.find(({ batch }) => batch !== undefined && !(batch >= 1 && batch <= MOST_BATCH));
  if (wrong !== undefined)
    throw new UsageError(`A batch is 1..${MOST_BATCH} products, but is ${wrong.batch}.`);
}

/** What the laboratory knows of a device before it is open. */
export type KnownDevice = Pick<TimingDevice, 'arch' | 'limits' | 'properties'> | undefined;

/** Bytes that are written before each launch on a device; on one that is not known, what is usual. */
export function flushFor({ l2 }: Pick<Protocol, 'l2'>, device: KnownDevice): number {
  return l2 === 'warm' ? 0 : flushBytes(device?.limits ?? { l2Bytes: 0 });
}

/**
 * What would be timed at which size, and roughly how much work that is.
 * @throws UsageError for a reference that is not one kernel, or a batch that is too large
 */
export function planTimes(
  selected: readonly SelectedKernel[],
  options: Pick<RunBenchOptions, 'sizes' | 'discovery' | 'only' | 'reference' | 'alpha' | 'beta'>,
  protocol: Protocol,
  device: KnownDevice,
): TimesPlan {
  const { discovery, only = () => true } = options;
  const { reference, entries } = entriesOf(selected, chooseReference(discovery, options.reference));
  const peak: Peak | string = device === undefined ? '' : peakOf(device);
  const tflops = typeof peak === 'string' ? ASSUMED_TFLOPS : peak.tflops;
  const assumed = { tflops, flushBytes: flushFor(protocol, device) };
  const scalars = scalarsOf(options);
  checkBatches(options.sizes);
  const sizes = uniqueSizes(options.sizes).map((size): PlannedSize => {
    const own = entries.filter((entry) => entry === reference || only(entry.kernel, size));
    const { m, n, k } = size;
    const takes = ({ kernel: { gemm } }: Entry) =>
      gemm.refusal({ m, n, k, ...scalars }, device) === undefined;
    const taking = own.filter(takes);
    const compiled = taking.filter(({ kernel }) => kernel.gemm.open === true).length;
    const work = workOf(size, { all: own.length, taking: taking.length, compiled }, protocol, assumed);
    return { size, entries: own, work };
  });
  return { reference, sizes };
}

/** How times are taken, as a result file says it. */
export function protocolParameters(
  protocol: Protocol,
  { alpha, beta }: Scalars,
  device: KnownDevice,
): Record<string, number | string> {
  const { graph, untilWidth, timeLimitMs, ...others } = protocol;
  return {
    ...others,
    launched: graph ? 'graph' : 'singly',
    ...(untilWidth === undefined ? {} : { untilWidth }),
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
    flushBytes: flushFor(protocol, device),
    confidence: CONFIDENCE,
    alpha,
    beta,
  };
}
