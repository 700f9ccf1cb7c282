import { KernelFaultError, type KernelFaultPlace, type LaunchConfig } from '@ffma/core';
import { GLOBAL_BASE } from '../layout.js';
import { kernelPlace, placeSuffix } from '../ptx/kernel-place.js';
import type { FaultRecord, OtherAccess } from '../runtime/fault-record.js';
import { describeAddress, type NamedSpan } from './describe-address.js';

/** What a launch had, to name addresses by. */
export interface FaultContext {
  readonly kernel: string;
  readonly buffers: readonly NamedSpan[];
  /** Shared memory of a block, and local memory of a thread, in bytes. */
  readonly sharedBytes: number;
  readonly localBytes: number;
  /** The schedule that it happened under, in a word, where one was asked for. */
  readonly schedule?: string;
}

/** Of the faults that workers met, that of the first block: the one that a single worker is most likely to meet. */
export function firstFault(
  replies: readonly { readonly fault: FaultRecord | undefined }[],
  { grid }: Pick<LaunchConfig, 'grid'>,
): FaultRecord | undefined {
  const index = ({ block: [x, y, z] }: FaultRecord) => x + grid[0] * (y + grid[1] * z);
  const faults = replies.flatMap(({ fault }) => (fault === undefined ? [] : [fault]));
  return faults.sort((a, b) => index(a) - index(b))[0];
}

const capital = (word = '') => word.slice(0, 1).toUpperCase() + word.slice(1);

const triple = (t: readonly number[]): string => `(${t.join(', ')})`;

function describe({ kind, address, site }: FaultRecord, context: FaultContext): string {
  if (address === undefined || site === undefined) return '';
  if (kind === 'race' && address < GLOBAL_BASE)
    return `byte ${address} of the ${context.sharedBytes} bytes of shared memory`;
  if (site.space !== 'shared' && site.space !== 'local') return describeAddress(address, context.buffers);
  return `byte ${address} of the ${context[`${site.space}Bytes`]} bytes of ${site.space} memory`;
}

const DID = { write: 'wrote', read: 'read' } as const;

/** Who made the earlier access of a race, and where. */
function describeOther({ other }: FaultRecord): string {
  if (other === undefined) return 'another thread touched';
  const { block, thread, threads, at } = other;
  const who =
    thread !== undefined
      ? `${block === undefined ? '' : `block ${triple(block)}, `}thread ${triple(thread)}`
      : typeof threads === 'number'
        ? `several lanes of warp ${threads}`
        : threads === 'a copy in bulk'
          ? threads
          : 'threads of several warps';
  const line = at === undefined ? '' : ` at PTX line ${at.line} (${at.text})${placeSuffix(at.source)}`;
  return `${who} ${DID[other.did]}${line}`;
}

const SENTENCES: Readonly<Record<FaultRecord['kind'], (record: FaultRecord, where: string) => string>> = {
  'out-of-bounds': (r, where) => `Out-of-bounds ${r.site?.kind} of ${r.site?.bytes} bytes at ${where}`,
  misaligned: (r, where) =>
    `Misaligned ${r.site?.kind}: ${r.site?.bytes} bytes need an address that is a multiple of ${r.site?.bytes}, but it is ${where}`,
  'uninitialised-read': (r, where) => `Read of ${r.site?.bytes} bytes that nothing has written, at ${where}`,
  'barrier-divergence': (r) => `Barrier in divergent code: ${r.note}`,
  'copy-in-flight': (r, where) =>
    `${capital(r.site?.kind)} of ${r.site?.bytes} bytes where a copy is in flight, at ${where} (${r.note})`,
  'copy-unsynchronised': (r, where) =>
    `${capital(r.site?.kind)} of ${r.site?.bytes} bytes that another thread's cp.async brought, with no barrier since, at ${where} (${r.note})`,
  'copy-never-awaited': (r) => `A thread exits before its cp.async to byte ${r.note} has been waited for`,
  'copy-size': (r) => `A cp.async of ${r.site?.bytes} bytes is told to read more than that`,
  race: (r, where) =>
    `Race: ${r.site?.kind === 'copy' ? 'cp.async' : r.site?.kind === 'bulk' ? 'bulk copy' : r.site?.kind}${r.site?.kind === 'bulk' ? '' : ` of ${r.site?.bytes} bytes`}, at ${where}, which ${describeOther(r)}, ${r.note !== undefined ? r.note : r.other?.block === undefined ? 'with no barrier in between' : 'and nothing orders the two'}`,
  mbarrier: (r) => `An mbarrier is misused: ${r.note}`,
  'bulk-copy': (r) => `A copy in bulk that no GPU does: ${r.note}`,
  deadlock: (r) => `The block can never finish: ${r.note}`,
  'endless-loop': (r) => `A loop never ends: ${r.note}`,
  trap: (r) => `The kernel trapped${r.note === undefined ? '' : `: ${r.note}`}`,
};

function otherPlace({ block, thread, at }: OtherAccess): NonNullable<KernelFaultPlace['other']> {
  return {
    ...(block === undefined ? {} : { block }),
    ...(thread === undefined ? {} : { thread }),
    ...(at === undefined ? {} : { ptxLine: at.line, instruction: at.text }),
    ...(at?.source === undefined ? {} : { source: kernelPlace(at.source) }),
  };
}

/** An error for people: what, by which thread of which block, at which line of PTX and source. */
export function faultError(record: FaultRecord, context: FaultContext): KernelFaultError {
  const { kernel } = context;
  const at = record.site ?? record.at;
  const where = describe(record, context);
  const thread = record.thread === undefined ? '' : `, thread ${triple(record.thread)}`;
  const line = at === undefined ? '' : `, PTX line ${at.line} (${at.text})${placeSuffix(at.source)}`;
  const under = context.schedule === undefined ? '' : `, under the schedule ${context.schedule}`;
  const message = `${SENTENCES[record.kind](record, where)}; kernel ${kernel}, block ${triple(record.block)}${thread}${line}${under}.`;
  const place: KernelFaultPlace = {
    kernel,
    block: record.block,
    ...(record.thread === undefined ? {} : { thread: record.thread }),
    ...(at === undefined ? {} : { ptxLine: at.line, instruction: at.text }),
    ...(at?.source === undefined ? {} : { source: kernelPlace(at.source) }),
    ...(record.address === undefined ? {} : { address: where }),
    ...(record.other === undefined ? {} : { other: otherPlace(record.other) }),
  };
  return new KernelFaultError(record.kind, message, place);
}
