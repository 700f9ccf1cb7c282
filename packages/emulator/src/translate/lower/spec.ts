import type { InstructionClass } from '../../counters/launch-profile.js';
import type { Operand, PtxType, StateSpace } from '../../ptx/ast.js';
import type { Shape } from '../shape.js';
import type { HostCall } from './host-calls.js';

/** A binaryen expression. Each may stand in the tree once. */
export type Expr = number;

/** How a value is held: 8- and 16-bit values as zero-extended i32. */
export type ValueKind = 'i32' | 'i64' | 'f32' | 'f64' | 'pred';

/** Makes a fresh expression for an operand at each call. */
export type Scalar = () => Expr;
/** The same for four lanes: half 0 holds lanes 0 and 1 of a 64-bit value; 32-bit values have only half 0. */
export type Vector = (half: 0 | 1) => Expr;

export interface Destination {
  readonly reg: string;
  readonly kind: ValueKind;
}

export interface Source {
  readonly operand: Operand;
  readonly kind: ValueKind;
  /** Of a 64-bit value that is sent to other lanes by its words: the upper one. */
  readonly upper?: true;
}

/** The part of binaryen's module that lowering uses. */
export type Wasm = InstanceType<typeof import('binaryen').default.Module>;

/** A computation without side effects: registers in, one register out. */
export interface ValueOp {
  readonly kind: 'value';
  readonly dst: Destination;
  readonly srcs: readonly Source[];
  /** On one lane, or on a value that all lanes share. */
  readonly scalar: (m: Wasm, ...args: Scalar[]) => Expr;
  /** On four lanes, a half at a time; absent: lane by lane with `scalar`. */
  readonly vector?: (m: Wasm, half: 0 | 1, ...args: Vector[]) => Expr;
  /** Shape of the result from those of the sources; absent: uniform where all are. */
  readonly shape?: (...shapes: Shape[]) => Shape;
  /** An 8- or 16-bit type whose sign or zeros fill a result register that is wider. */
  readonly fills?: PtxType;
}

/** dst = a·b + c in float32, rounded once. */
export interface FmaOp {
  readonly kind: 'fma';
  readonly dst: Destination;
  readonly srcs: readonly [Source, Source, Source];
}

/** A load, store or atomic. Vector accesses list several registers. */
export interface AccessOp {
  readonly kind: 'load' | 'store';
  readonly space: StateSpace | 'generic';
  readonly type: PtxType;
  /** Bytes of one element. */
  readonly bytes: number;
  readonly address: Extract<Operand, { kind: 'address' }>;
  /** Destinations of a load (undefined: discarded element), or sources of a store. */
  readonly elements: readonly (Destination | undefined)[];
  readonly values: readonly Source[];
  /** The load may see another thread's store while it spins. */
  readonly volatile: boolean;
  /** A load after which, or a store before which, other accesses stay. */
  readonly ordered: boolean;
  /** What it is to other blocks beside a load or a store: bits of `GLOBAL_ACCESS`. */
  readonly order: number;
}

export interface AtomicOp {
  readonly kind: 'atomic';
  readonly space: StateSpace | 'generic';
  readonly type: PtxType;
  readonly bytes: number;
  readonly address: Extract<Operand, { kind: 'address' }>;
  readonly operation: 'add' | 'min' | 'max' | 'and' | 'or' | 'xor' | 'exch' | 'cas' | 'inc' | 'dec';
  /** Where the old values go: one, or two or four of a vector, of which each is atomic by itself; undefined: nowhere. */
  readonly elements: readonly (Destination | undefined)[];
  /** One for each element; of `cas`, what is expected and what then takes its place. */
  readonly values: readonly Source[];
  /** What it is to other blocks beside an atomic: bits of `GLOBAL_ACCESS`. */
  readonly order: number;
}

/** `cp.async`: global memory is read now, shared memory changes when the thread waits for the copy's group. */
export interface CopyOp {
  readonly kind: 'copy';
  readonly bytes: 4 | 8 | 16;
  /** In shared memory. */
  readonly address: Extract<Operand, { kind: 'address' }>;
  /** In global memory. */
  readonly from: Extract<Operand, { kind: 'address' }>;
  /** None, or one: bytes to read, the rest are zeros; a predicate instead says whether to read nothing. */
  readonly values: readonly Source[];
}

/** `cp.async.commit_group`: closes the thread's group of copies. */
export interface CommitOp {
  readonly kind: 'commit';
}

/** Lands the thread's copies, but those of its youngest `pending` groups; undefined: all, committed or not. */
export interface WaitOp {
  readonly kind: 'wait';
  readonly pending: number | undefined;
  /** The block may touch them from now on, because an mbarrier says when. */
  readonly shows?: true;
}

export interface BarrierOp {
  readonly kind: 'barrier';
  readonly id: number;
  /** Threads that take part; undefined: all of the block. */
  readonly threads: number | undefined;
  /** All threads of a warp execute it together, which `barrier.sync` alone does not ask for. */
  readonly aligned: boolean;
  /** Of a warp, not of a block: what its lanes do with each other's operands. */
  readonly warp?: WarpOperation;
  /** Threads send number and count of threads, from registers. */
  readonly dynamic?: boolean;
  /** Threads are counted and go on (`bar.arrive`). */
  readonly arrive?: true;
  /** What the threads' predicates come to (`bar.red`). */
  readonly reduce?: 'and' | 'or' | 'popc';
}

/**
 * What lanes of a warp do together when they have met: nothing but wait; take a value from another lane; take a vote;
 * or find out who is there (`active`), which waits for nobody.
 */
export type WarpOperation =
  | 'sync'
  | 'active'
  | `shuffle.${'idx' | 'up' | 'down' | 'bfly'}`
  | `vote.${'all' | 'any' | 'uni' | 'ballot'}`
  | `${'match' | 'match64'}.${'any' | 'all'}`
  | `redux.${'add' | 'min' | 'max' | 'mins' | 'maxs' | 'and' | 'or' | 'xor'}`
  | 'elect';

/** Puts the mask of the lanes that take part, and up to three operands, where the warp's barrier finds them. */
export interface SendOp {
  readonly kind: 'send';
  readonly values: readonly Source[];
}

/** Takes a lane's result after the warp's barrier: the first word, or the second as a predicate. */
export interface ReceiveOp {
  readonly kind: 'receive';
  readonly dst: Destination;
  readonly word: 0 | 1;
}

/** An assertion of the program has failed: addresses of its text and file, its line, and the address of its function. */
export interface AssertOp {
  readonly kind: 'assert';
  readonly values: readonly Source[];
}

/** Memory accesses before it are seen by other threads before those after it. */
export interface FenceOp {
  readonly kind: 'fence';
  /** Threads of other blocks, too. */
  readonly wide: boolean;
}

/** Something that the host does, for each lane or once: about mbarriers and bulk copies. */
export interface HostOp {
  readonly kind: 'host';
  readonly name: HostCall;
  /** Numbers, and what addresses start at. */
  readonly values: readonly Source[];
  /** Bytes to add to each value that is an address. */
  readonly offsets: readonly number[];
  readonly dst?: Destination;
}

/** Nothing to do: prefetches, pragmas; or control flow, which the graph holds. */
export interface NoOp {
  readonly kind: 'none';
}

export type Op =
  | ValueOp
  | FmaOp
  | AccessOp
  | AtomicOp
  | CopyOp
  | CommitOp
  | WaitOp
  | BarrierOp
  | SendOp
  | ReceiveOp
  | AssertOp
  | FenceOp
  | HostOp
  | NoOp;

/** Registers that an operation reads, its guard's not among them. */
export function registersRead(op: Op): string[] {
  const registers: string[] = [];
  const note = (operand: Operand | undefined) => {
    if (operand?.kind === 'reg') registers.push(operand.name);
  };
  if ('srcs' in op) for (const { operand } of op.srcs) note(operand);
  if ('values' in op) for (const { operand } of op.values) note(operand);
  const bases = [...('address' in op ? [op.address.base] : []), ...('from' in op ? [op.from.base] : [])];
  for (const base of bases) if (base?.kind === 'reg') registers.push(base.name);
  return registers;
}

/** What one PTX instruction does, as steps in order, and the class it is counted under. */
export interface Lowered {
  /** undefined: not counted, because another part of the same PTX instruction is. */
  readonly class: InstructionClass | undefined;
  readonly ops: readonly Op[];
}

/** Bytes of a scalar type. */
export function typeBytes(type: PtxType): number {
  if (type === 'pred') return 1;
  const bits = /\d+/.exec(type.replace('x2', ''))?.[0];
  return (Number(bits) / 8) * (type.endsWith('x2') ? 2 : 1);
}

/** How a value of this type is held; undefined for types that no register file holds yet (b128). */
export function valueKind(type: PtxType): ValueKind | undefined {
  if (type === 'pred' || type === 'f32' || type === 'f64') return type;
  if (type === 'b128') return undefined;
  return typeBytes(type) === 8 ? 'i64' : 'i32';
}

export const isSigned = (type: PtxType): boolean => type.startsWith('s');
