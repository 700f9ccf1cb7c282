/** Scalar type suffix of a register, variable or parameter, without the dot: `f32`, `b64`, `pred`. */
export type PtxType =
  | 'pred'
  | 'b8'
  | 'b16'
  | 'b32'
  | 'b64'
  | 'b128'
  | 'u8'
  | 'u16'
  | 'u32'
  | 'u64'
  | 's8'
  | 's16'
  | 's32'
  | 's64'
  | 'f16'
  | 'f16x2'
  | 'bf16'
  | 'bf16x2'
  | 'f32'
  | 'f64';

export type StateSpace = 'global' | 'shared' | 'local' | 'const' | 'param';

/** A declared variable: `.shared .align 4 .b8 tile[4096];`. */
export interface PtxVariable {
  readonly space: StateSpace;
  readonly name: string;
  readonly type: PtxType;
  readonly align: number;
  /** Bytes in all; 0 for `extern .shared` arrays of unknown size. */
  readonly byteLength: number;
  readonly extern: boolean;
  /** Initial contents, where the declaration gives any (little-endian bytes). */
  readonly initial?: Uint8Array;
  readonly line: number;
}

/** A kernel or function parameter and where it lies in the parameter block. */
export interface PtxParam {
  readonly name: string;
  readonly type: PtxType;
  readonly align: number;
  readonly byteLength: number;
  readonly byteOffset: number;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  /** Where the function that holds this line was inlined, if it was; that place may have been inlined in turn. */
  readonly inlinedAt?: SourcePlace;
}

export type Operand =
  /** `negate` for a predicate written `!%p1`. */
  | { readonly kind: 'reg'; readonly name: string; readonly negate?: true }
  /** Integer immediate, any base, already negated; or a float given by its bits (`0f…`, `0d…`). */
  | { readonly kind: 'int'; readonly value: bigint }
  | { readonly kind: 'f32'; readonly bits: number }
  | { readonly kind: 'f64'; readonly bits: bigint }
  /** `%tid.x`, `%laneid`, `%clock64`: name without `%`, component where there is one. */
  | { readonly kind: 'special'; readonly name: string; readonly dim?: 'x' | 'y' | 'z' }
  /**
   * `[base+offset]`; the base is a register, a variable or parameter name, or absent for an absolute address.
   * `extra` is what follows a comma inside the brackets: `[%rd1, {%r1, %r2}]` has one vector there.
   */
  | {
      readonly kind: 'address';
      readonly base?: { readonly kind: 'reg' | 'symbol'; readonly name: string };
      readonly offset: number;
      readonly extra?: readonly Operand[];
    }
  | { readonly kind: 'vector'; readonly elements: readonly Operand[] }
  /** A variable, function or label name on its own. */
  | { readonly kind: 'symbol'; readonly name: string; readonly offset: number }
  /** `_`, a discarded result. */
  | { readonly kind: 'sink' };

export interface Instruction {
  readonly kind: 'instruction';
  /** 1-based line in the PTX text. */
  readonly line: number;
  /** The statement as written, whitespace normalised, without the semicolon. */
  readonly text: string;
  readonly guard?: { readonly reg: string; readonly negate: boolean };
  /** First word: `ld`, `fma`, `setp`. */
  readonly op: string;
  /** The rest, without dots: `['global', 'nc', 'v4', 'f32']`. */
  readonly modifiers: readonly string[];
  /**
   * In order; a `p|q` destination pair is two operands. A `call` always has a vector of results, the callee and a
   * vector of arguments (both may be empty; a call through a register adds its prototype or targets). The table of
   * a `brx.idx` is a vector of labels.
   */
  readonly operands: readonly Operand[];
  /** The first two operands were written `d|p`: both are results. */
  readonly pair?: true;
  /** From the last `.loc`, where the PTX has line information. */
  readonly source?: SourcePlace;
}

export interface Label {
  readonly kind: 'label';
  readonly name: string;
  readonly line: number;
}

/**
 * A function with a body. Names that inner scopes `{ … }` declare again are made unique (`p`, `p$1`), so that
 * registers, variables and labels of the whole body are one flat set each.
 */
export interface PtxFunction {
  readonly name: string;
  readonly isEntry: boolean;
  readonly params: readonly PtxParam[];
  readonly paramBytes: number;
  /** Result parameters of a `.func`. */
  readonly results: readonly PtxParam[];
  /** `.maxntid`, `.reqntid`, `.minnctapersm`, `.maxnreg`… as written numbers. */
  readonly bounds: Readonly<Record<string, readonly number[]>>;
  readonly registers: ReadonlyMap<string, PtxType>;
  /** `.local`, `.shared`, `.global`, `.const` of the body, and the `.param` of its call sequences. */
  readonly variables: readonly PtxVariable[];
  readonly body: readonly (Instruction | Label)[];
  readonly line: number;
}

export interface PtxModule {
  readonly version: string;
  /** E.g. `sm_80`. */
  readonly target: string;
  readonly addressSize: number;
  /** Those with a body; a call may name one that is only declared (`vprintf`) and is not here. */
  readonly functions: ReadonlyMap<string, PtxFunction>;
  /** Module-scope variables. */
  readonly variables: readonly PtxVariable[];
}
