import type { CodePoint, SiteInfo } from '../translate/translated-kernel.js';

export type FaultKind =
  | 'out-of-bounds'
  | 'misaligned'
  | 'uninitialised-read'
  | 'barrier-divergence'
  /** Shared memory was touched, or another copy sent there, while an asynchronous copy was on its way. */
  | 'copy-in-flight'
  /** Another thread's copy has landed, but no barrier has come since. */
  | 'copy-unsynchronised'
  /** A thread exits with copies that it has not waited for. */
  | 'copy-never-awaited'
  /** A copy is to read more bytes than it has. */
  | 'copy-size'
  /** Something about an mbarrier that cannot be right. */
  | 'mbarrier'
  /** A copy in bulk that a GPU refuses, or whose tensor map is none. */
  | 'bulk-copy'
  /** Two threads touch one word of shared memory, one of them writes, and nothing says which comes first. */
  | 'race'
  | 'deadlock'
  /** A loop whose registers, and the memory that it reads, do not change any more. */
  | 'endless-loop'
  | 'trap';

/** The earlier access of a race. */
export interface OtherAccess {
  readonly did: 'write' | 'read';
  /** Of which block, where it was another one. */
  readonly block?: readonly [number, number, number];
  /** Whose, where it was one thread's. */
  readonly thread?: readonly [number, number, number];
  /** Else the number of the warp whose lanes they were, or that they were of several, or nobody's. */
  readonly threads?: number | 'several warps' | 'a copy in bulk';
  readonly at?: CodePoint;
}

/** What went wrong in a kernel, as a worker posts it. The host adds names of buffers. */
export interface FaultRecord {
  readonly kind: FaultKind;
  readonly block: readonly [number, number, number];
  readonly thread: readonly [number, number, number] | undefined;
  readonly site?: SiteInfo;
  /** The barrier or trap, where it is no access. */
  readonly at?: CodePoint;
  /** Device address, or offset in the window for shared and local memory. */
  readonly address?: bigint;
  /** Of a race, the access that came before. */
  readonly other?: OtherAccess;
  /** More facts, as a sentence. */
  readonly note?: string;
}

/** Thrown through WebAssembly to stop a launch. */
export class KernelFault extends Error {
  readonly record: FaultRecord;
  constructor(record: FaultRecord) {
    super(record.kind);
    this.record = record;
  }
}
