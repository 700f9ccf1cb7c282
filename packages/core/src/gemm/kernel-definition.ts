import type { KernelResources } from '../compile/log.js';
import type { DeviceLimits } from '../device/limits.js';
import type { MachineCodeLimits } from './machine-code.js';
import type { Plan } from './plan.js';
import type { GemmProblem } from './problem.js';

/** Values of a kernel's named parameters. Booleans reach C++ as `true`/`false`, numbers as `int`. */
export type Params = Readonly<Record<string, number | boolean>>;

/** Widens literals, so that `{ BM: 128 }` declares a parameter BM of type number. */
export type Widen<P extends Params> = { readonly [K in keyof P]: P[K] extends boolean ? boolean : number };

/** What follows from the parameters. `static_assert`s in the source check the same figures. */
export interface Derived {
  /** Threads a block. */
  readonly threads: number;
  /** Static shared memory the source declares, in bytes. */
  readonly sharedBytes: number;
  /** Dynamic shared memory that every launch of the entry `main` passes, in bytes. Default 0. */
  readonly dynamicSharedBytes?: number;
  /** Further figures, integers from 0 on; like those above they reach C++ by name, as `P::copiesPerThread`. */
  readonly [figure: string]: number | undefined;
}

/**
 * A parameter of an entry point. `in`/`out`: restrict pointer to const/mutable float; `ptr`: plain `void*`; `tensorMap`: a
 * `const ffma::tensor_map*` (the source includes `<ffma/tma.cuh>`).
 */
export interface EntryParam {
  readonly name: string;
  readonly type: 'in' | 'out' | 'ptr' | 'tensorMap' | 'i32' | 'i64' | 'f32';
}

/** A `__global__` function that the build generates around the template `fn<P>` of the source. */
export interface KernelEntry {
  /** The device function template in the source, called with the entry's own parameters. */
  readonly fn: string;
  readonly signature: readonly EntryParam[];
  /** Threads a block; default `derive().threads`. */
  readonly threads?: number;
}

/** Parameters of the usual GEMM entry, in order: what `gemmArgs` passes. */
export const gemmSignature: readonly EntryParam[] = [
  { name: 'a', type: 'in' },
  { name: 'b', type: 'in' },
  { name: 'c', type: 'out' },
  { name: 'm', type: 'i32' },
  { name: 'n', type: 'i32' },
  { name: 'k', type: 'i32' },
  { name: 'lda', type: 'i32' },
  { name: 'ldb', type: 'i32' },
  { name: 'ldc', type: 'i32' },
  { name: 'alpha', type: 'f32' },
  { name: 'beta', type: 'f32' },
];

/** A condition on parameters; a variant that breaks one is refused with its sentence. */
export interface Rule<P extends Params = Params> {
  /** The condition as a sentence, e.g. `A tile splits into whole float4 copies`. */
  readonly sentence: string;
  // A method, as those of a definition: so a rule on some parameters is also a rule.
  holds(params: P, derived: Derived): boolean;
}

/** What a variant asks of a problem. Absent means no condition. */
export interface Needs {
  /** m, n, k must be multiples of these. */
  readonly multiples?: { readonly m?: number; readonly n?: number; readonly k?: number };
  /** m, n and k must be these: they are compiled in. */
  readonly exactly?: { readonly m: number; readonly n: number; readonly k: number };
  /** Byte alignment of every operand's rows: 4 or 16. */
  readonly alignment?: number;
  /** Least architecture, e.g. 80 for sm_80. */
  readonly arch?: number;
}

/** What one entry of a variant uses. */
export interface EntryResources extends KernelResources {
  /** No machine code was made: registers are the most that the entry's launch bound leaves a thread. */
  readonly estimated: boolean;
}

/** What a variant uses, by entry: launches of one plan may differ. */
export interface Resources {
  readonly main: EntryResources;
  readonly [entry: string]: EntryResources;
}

/** What `plan` may ask about the device. */
export interface PlanDevice {
  readonly limits: DeviceLimits;
  readonly arch: string;
}

/**
 * `k-order`: each element is one FMA chain over k ascending, so its bits are fixed.
 * `reordered`: sums are split or reordered; only error bounds apply.
 */
export type Exactness = 'k-order' | 'reordered';

/** Counters of one launched plan, as an instrumented device reports them; what claims speak about. */
export interface CounterFacts {
  /** Value by name, e.g. `global.store.sectorsPerRequest`. NaN where there was no such access. */
  readonly value: (name: string) => number;
}

/** The GPU that a claim about caches is made for: small, so that the fact shows at a problem that is soon counted. */
export interface ModelledGpu {
  readonly l2Bytes: number;
  /** Multiprocessors: with the occupancy of the kernel, they say how many blocks are at work at a time. */
  readonly smCount: number;
}

/** A coarse fact about counters that an instrumented device proves in tests. */
export interface Claim {
  /** E.g. `C stores fill their sectors: 4 sectors a request`. */
  readonly sentence: string;
  /** Problem at which it is checked. */
  readonly at: { readonly m: number; readonly n: number; readonly k: number };
  /** Where the claim reads counters of a modelled cache, the GPU that is modelled. */
  readonly gpu?: ModelledGpu;
  /** `base` are the counters of the kernel this one is based on, where there is one at hand. */
  readonly holds: (own: CounterFacts, base: CounterFacts | undefined) => boolean;
}

/**
 * Variants that have m, n and k compiled in. As declared they are open, without sizes, so that nothing can be built
 * ahead of time; `Variant.forShape` fills in those of a problem, and the result is compiled when it is loaded.
 */
export interface Specialisation<P extends Params = Params> {
  // Methods, as those of a definition.
  /** Whether a variant waits for its sizes. */
  open(params: P): boolean;
  /** The parameters that hold the sizes, each at least 1. `needs` of the filled variant must say `exactly` them. */
  fill(params: P, sizes: { readonly m: number; readonly n: number; readonly k: number }): Partial<P>;
}

/** Text of a symbol's tag: letters, digits and underscores. A method's type, as those of a definition. */
export type SymbolTag<P extends Params = Params> = string | { of(params: P): string }['of'];

/** Everything that build, launch, tests, bench and docs need to know about a kernel. See `defineKernel`. */
export interface KernelDefinition<P extends Params = Params> {
  /** Short name, unique in its package: `k11`. */
  readonly name: string;
  /** One or two words for people and folders: `hoisted`. */
  readonly slug: string;
  /** Name of the kernel that this one differs from by one idea. */
  readonly basedOn?: string;
  /** The one idea, as one sentence. */
  readonly change: string;
  /** Why the numbers move, as one sentence for people who see them for the first time. */
  readonly lesson?: string;
  /** The `.cu` file. */
  readonly source: URL;
  /** Entry points in the source by name, `main` among them; default: `main` alone, `gemm<P>` with the GEMM signature. */
  readonly entries?: Readonly<Record<string, KernelEntry>>;
  /** Named parameters with their defaults. */
  readonly params: P;
  // Methods, not properties, so that a definition with its own parameters is also a KernelDefinition of any.
  derive(params: Widen<P>): Derived;
  readonly rules?: readonly Rule<Widen<P>>[];
  needs?(params: Widen<P>): Needs;
  /**
   * Whether a variant is made for the sizes of one problem. Default: those that are open or whose needs say `exactly`.
   */
  specialised?(params: Widen<P>): boolean;
  /** How m, n and k are compiled in at run time, for any problem; see {@link Specialisation}. */
  readonly specialise?: Specialisation<Widen<P>>;
  /** Pure: problem, parameters and device in, launches out. */
  plan(problem: GemmProblem, params: Widen<P>, device: PlanDevice, resources: Resources): Plan;
  /**
   * Sums that the products of an element are split into, at most, of a `reordered` kernel; its error bound grows with
   * them. Default 1. Asked for the problem that `plan` is asked for.
   */
  partialSums?(problem: GemmProblem, params: Widen<P>, device: PlanDevice, resources: Resources): number;
  /** Names of variants that a package ships beside the default one: `ffma-kernelc build` makes them, too. */
  readonly ships?: readonly string[];
  /** Named parameter sets; `default` is added with no changes unless given. */
  readonly variants?: Readonly<Record<string, Partial<Widen<P>> & { readonly id?: never }>>;
  /** Ids given by hand, by variant name; otherwise made from the parameters. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Values to search, by parameter. */
  readonly search?: { readonly [K in keyof P]?: readonly (P[K] extends boolean ? boolean : number)[] };
  readonly exactness: Exactness;
  /** Sums of a `reordered` kernel meet by float atomics on C, whose results have no subnormals; see {@link Gemm}. */
  readonly atomicSums?: boolean;
  readonly claims?: readonly Claim[];
  /** What ptxas has to make of the entry `main` of a variant for sm_90; undefined where nothing is asked. */
  machineCode?(params: Widen<P>): MachineCodeLimits | undefined;
  /**
   * Appended to the device symbol: its text can change what ptxas does. A function where it depends on the
   * parameters; an empty tag is none.
   */
  readonly symbolTag?: SymbolTag<Widen<P>>;
  /** Explains spills that are meant; without it the build fails on them. */
  readonly allowSpills?: string;
}
