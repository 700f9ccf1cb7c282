import type { InstructionClass } from '../counters/launch-profile.js';
import type { SourcePlace, StateSpace } from '../ptx/ast.js';
import type { SiteKind } from './kernel-model.js';
import type { WarpOperation } from './lower/spec.js';

/** A register of the area, for copying it from vector code to the lanes' own areas. */
export interface AreaRegister {
  /** Bytes from the start of the area. */
  readonly offset: number;
  /** 64-bit. */
  readonly wide: boolean;
  /** Step from lane to lane where only lane 0 is stored; undefined where all lanes are. */
  readonly stride: number | undefined;
}

/** A branch that can split four lanes. */
export interface SplitPoint {
  readonly taken: number;
  readonly fallthrough: number;
  /** Block where the lanes meet again; −1: they do not. */
  readonly meet: number;
  readonly live: readonly AreaRegister[];
}

/** An instruction, for fault reports. */
export interface CodePoint {
  readonly line: number;
  readonly text: string;
  readonly source?: SourcePlace;
}

export interface BarrierPoint extends CodePoint {
  readonly id: number;
  readonly threads: number | undefined;
  /** All threads of a warp must execute it together. */
  readonly aligned: boolean;
  /** Of a warp, not of the block. */
  readonly warp?: WarpOperation;
  /** The threads have sent its number and their count. */
  readonly dynamic?: boolean;
  /** Threads are counted and go on. */
  readonly arrive?: true;
  /** What the threads' predicates come to. */
  readonly reduce?: 'and' | 'or' | 'popc';
}

/** A loop that may wait: the instruction that reads what is waited for, and what a turn starts with. */
export interface PollPoint extends CodePoint {
  readonly live: readonly AreaRegister[];
}

/** One access instruction, for counters and fault reports. */
export interface SiteInfo extends CodePoint {
  readonly space: StateSpace | 'generic';
  /** `copy` is what `cp.async` does to shared memory; its load is a site of its own. `bulk` is about mbarriers, and no access. */
  readonly kind: SiteKind;
  /** Bytes a lane. */
  readonly bytes: number;
}

/** A kernel as WebAssembly for one extent of blocks. Structured data only: it is cached on disk and posted to workers. */
export interface TranslatedKernel {
  readonly name: string;
  readonly wasm: Uint8Array;
  /** Exported functions of vector code, and the blocks that each can start at. */
  readonly hot: readonly { readonly name: string; readonly starts: readonly number[] }[];
  readonly areaBytes: number;
  readonly stateBytes: number;
  readonly splits: Readonly<Record<number, SplitPoint>>;
  /** By the block that follows the barrier. */
  readonly barriers: Readonly<Record<number, BarrierPoint>>;
  /** Blocks in which a thread has nothing left to do but to exit. */
  readonly ends: readonly number[];
  /** By the block that ends with a `trap`. */
  readonly traps: Readonly<Record<number, CodePoint>>;
  readonly sites: readonly SiteInfo[];
  /** Instructions of each class in each block. */
  readonly classes: readonly Readonly<Partial<Record<InstructionClass, number>>>[];
  /** By header, the loops that may wait for another thread; with any, all resident blocks must be able to stand by. */
  readonly polls: Readonly<Record<number, PollPoint>>;
  /** By header, the loops that only compute and read: they hand over now and then, with checks. */
  readonly quiet: Readonly<Record<number, PollPoint>>;
  /** Whether it copies asynchronously, so that shared memory has the planes of {@link COPY_PLANE}. */
  readonly copies: boolean;
  /** Whether it uses mbarriers or copies in bulk. */
  readonly signals: boolean;
  /** Whether a loop may wait for what another block does; mbarriers are the block's own. */
  readonly awaitsBlocks: boolean;
}
