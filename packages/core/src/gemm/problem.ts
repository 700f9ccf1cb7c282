import { ArgumentError } from '../errors.js';

/** What a caller says about a GEMM; everything that has a usual value may be left out. */
export interface GemmShape {
  /** Rows of A and C. */
  readonly m: number;
  /** Columns of B and C. */
  readonly n: number;
  /** Columns of A, rows of B. */
  readonly k: number;
  /** Default 1. 0: A and B are not read. */
  readonly alpha?: number;
  /** Default 0. 0: C is not read. */
  readonly beta?: number;
  /** Elements from one row of A to the next; default and least max(1, k). */
  readonly lda?: number;
  /** Elements from one row of B to the next; default and least max(1, n). */
  readonly ldb?: number;
  /** Elements from one row of C to the next; default and least max(1, n). */
  readonly ldc?: number;
}

/** Byte alignment of an operand that holds for its first element and every row; a power of two up to 128. */
export interface GemmAlignment {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/**
 * C = alpha·A·B + beta·C in float32, row-major: A is m×k, B is k×n, C is m×n.
 * Everything is filled in and checked; this is what rules and plans see.
 */
export interface GemmProblem extends Required<GemmShape> {
  readonly alignment: GemmAlignment;
}

const MAX_INT32 = 2 ** 31 - 1;

function described(value: unknown): string {
  return value === undefined || value === null ? `${value}` : `of type ${typeof value}`;
}

function extent(name: string, value: number): number {
  if (typeof value !== 'number') {
    throw new ArgumentError(
      `${name} must be a number (an integer in 0..${MAX_INT32}), but is ${described(value)}.`,
    );
  }
  if (!Number.isInteger(value) || value < 0 || value > MAX_INT32) {
    throw new ArgumentError(`${name} must be an integer in 0..${MAX_INT32}, but is ${value}.`);
  }
  return value;
}

function leading(name: string, value: number | undefined, least: number, of: string): number {
  const min = Math.max(1, least);
  if (value === undefined) return min;
  extent(name, value);
  if (value < min)
    throw new ArgumentError(`${name} must be at least max(1, ${of}) = ${min}, but is ${value}.`);
  return value;
}

function scalar(name: string, value: number | undefined, usual: number): number {
  if (value === undefined) return usual;
  if (typeof value !== 'number')
    throw new ArgumentError(`${name} must be a number, but is ${described(value)}.`);
  const rounded = Math.fround(value);
  if (Number.isFinite(value) && !Number.isFinite(rounded)) {
    throw new ArgumentError(`${name} must be representable in float32, but is ${value}.`);
  }
  return rounded;
}

/** Fills in defaults, rounds scalars to float32, and checks. Alignment defaults to what a fresh allocation has. */
export function gemmProblem(shape: GemmShape, alignment?: Partial<GemmAlignment>): GemmProblem {
  if (typeof shape !== 'object' || shape === null) {
    throw new ArgumentError(`A problem must be { m, n, k, … }, but is ${described(shape)}.`);
  }
  const m = extent('m', shape.m);
  const n = extent('n', shape.n);
  const k = extent('k', shape.k);
  const lda = leading('lda', shape.lda, k, 'k');
  const ldb = leading('ldb', shape.ldb, n, 'n');
  const ldc = leading('ldc', shape.ldc, n, 'n');
  return {
    m,
    n,
    k,
    alpha: scalar('alpha', shape.alpha, 1),
    beta: scalar('beta', shape.beta, 0),
    lda,
    ldb,
    ldc,
    alignment: {
      a: alignment?.a ?? matrixAlignment(0n, m, lda),
      b: alignment?.b ?? matrixAlignment(0n, k, ldb),
      c: alignment?.c ?? matrixAlignment(0n, m, ldc),
    },
  };
}

/** Largest power of two, up to 128, that divides the address of every row's first element. */
export function matrixAlignment(address: bigint, rows: number, ld: number): number {
  const pitch = rows > 1 ? BigInt(ld) * 4n : 0n;
  const bits = address | pitch | 128n;
  return Number(bits & -bits);
}

/** Bytes from the first element of a rows×cols matrix to just past its last one. */
export function matrixBytes(rows: number, cols: number, ld: number): number {
  return rows === 0 || cols === 0 ? 0 : ((rows - 1) * ld + cols) * 4;
}

/** Floating-point operations that the product needs: 2·m·n·k. */
export function gemmFlops(problem: Pick<GemmProblem, 'm' | 'n' | 'k'>): number {
  return 2 * problem.m * problem.n * problem.k;
}

/**
 * The problem as a kernel has to compute it. A kernel always stores `fma(beta, c, alpha * acc)`, or `alpha * acc`
 * without reading C where beta is 0. BLAS wants C = beta·C, exactly, where k or alpha is 0, with A and B unread:
 * k becomes 0, and alpha becomes −0, so that alpha·acc = −0, the one addend that changes no value, not even −0
 * (+0 where beta is 0, so that C becomes +0).
 */
export function reducedProblem(problem: GemmProblem): GemmProblem {
  if (problem.k !== 0 && problem.alpha !== 0) return problem;
  return { ...problem, k: 0, alpha: problem.beta === 0 ? 0 : -0 };
}
