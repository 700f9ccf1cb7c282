import { exactFma } from './exact-fma.js';
import {
  COUNTERS,
  D,
  F,
  type Guard,
  type Op,
  operandKind,
  P,
  R,
  resultKind,
  type Statement,
  type Value,
} from './random-program.js';
import { f32, f32Bits } from './scalar-values.js';

const wide = (x: bigint): bigint => BigInt.asUintN(64, x);
const signed = (x: bigint): bigint => BigInt.asIntN(32, x);
const narrow = (x: bigint): bigint => BigInt.asUintN(32, x);

/** Operations on unsigned bits. */
const MODEL: Readonly<Record<Op, (a: bigint, b: bigint, c: bigint) => bigint>> = {
  'add.s32': (a, b) => a + b,
  'sub.s32': (a, b) => a - b,
  'mul.lo.s32': (a, b) => a * b,
  'mad.lo.s32': (a, b, c) => a * b + c,
  'and.b32': (a, b) => a & b,
  'or.b32': (a, b) => a | b,
  'xor.b32': (a, b) => a ^ b,
  'not.b32': (a) => ~a,
  'shl.b32': (a, b) => (b > 31n ? 0n : a << b),
  'shr.u32': (a, b) => (b > 31n ? 0n : a >> b),
  'shr.s32': (a, b) => signed(a) >> (b > 31n ? 31n : b),
  'min.s32': (a, b) => (signed(a) < signed(b) ? a : b),
  'max.u32': (a, b) => [a, b].sort((x, y) => (x < y ? 1 : -1))[0]!,
  'neg.s32': (a) => -a,
  'mov.u32': (a) => a,
  'selp.b32': (a) => a,
  'rem.u32': (a, b) => (b === 0n ? 0xffffffffn : a % b),
  'bfi.b32': (a, b) => (b & ~0xf0n) | ((a & 0xfn) << 4n),
  'add.s64': (a, b) => a + b,
  'shl.b64': (a, b) => (b > 63n ? 0n : a << b),
  'and.b64': (a, b) => a & b,
  'mul.wide.u32': (a, b) => a * b,
  'mul.wide.s32': (a, b) => signed(a) * signed(b),
  'cvt.s64.s32': signed,
  'cvt.u64.u32': (a) => a,
  'cvt.u32.u64': (a) => a,
  'fma.rn.f32': (a, b, c) => f32Bits(exactFma(f32(a), f32(b), f32(c))),
  'add.rn.f32': (a, b) => f32Bits(f32(a) + f32(b)),
  'mul.rn.f32': (a, b) => f32Bits(f32(a) * f32(b)),
  'neg.f32': (a) => f32Bits(-f32(a)),
  'cvt.rn.f32.s32': (a) => f32Bits(Number(signed(a))),
  'cvt.rzi.s32.f32': (a) => {
    const x = Math.trunc(f32(a));
    if (Number.isNaN(x)) return 0n;
    return BigInt(Math.max(-0x80000000, Math.min(0x7fffffff, x)));
  },
};

export interface Extent {
  readonly threads: number;
  readonly block: number;
}

/** Thread `tid` of a block: its registers, and what it makes of statements. */
export class Thread {
  readonly r: bigint[];
  readonly d: bigint[];
  readonly f: bigint[];
  readonly p: boolean[];
  exited = false;

  constructor(
    readonly tid: number,
    readonly extent: Extent,
    readonly input: Uint32Array,
  ) {
    const own = input[(tid + extent.block * extent.threads) % input.length]!;
    const start = [tid, extent.block, own, 3, input[extent.block]!, tid % 32, tid * 12 + 64, 5].map(BigInt);
    this.r = [...start, ...Array<bigint>(COUNTERS).fill(0n)].slice(0, R + COUNTERS);
    this.d = [BigInt(tid), BigInt(own), 7n, 0x1_0000_0010n].slice(0, D);
    this.f = [tid, 1.5, extent.block, Math.fround(tid * Math.fround(0.1))].map(f32Bits).slice(0, F);
    this.p = [(tid & 1) === 1, extent.block > 0, own > 0x80000000, false].slice(0, P);
  }

  #value(value: Value): bigint {
    switch (value.kind) {
      case 'r':
        return this.r[value.index]!;
      case 'd':
        return this.d[value.index]!;
      case 'f':
        return this.f[value.index]!;
      case 'float':
        return f32Bits(value.value);
      case 'constant':
        return BigInt(value.value);
      default:
        return BigInt(
          { tid: this.tid, ctaid: this.extent.block, ntid: this.extent.threads, laneid: this.tid % 32 }[
            value.name
          ],
        );
    }
  }

  #holds({ pred, negate }: Guard): boolean {
    return this.p[pred] !== negate;
  }

  #op(statement: Extract<Statement, { kind: 'op' }>): void {
    const { op, args, guard, to } = statement;
    const bits = (value: Value, i: number) =>
      (operandKind(op, i) === 'd' ? wide : narrow)(this.#value(value));
    let [a, b, c] = args.map(bits);
    if (op === 'selp.b32') a = this.#holds(guard!) ? a! : b!;
    else if (guard !== undefined && !this.#holds(guard)) return;
    const result = MODEL[op](a!, b ?? 0n, c ?? 0n);
    const kind = resultKind(op);
    this[kind][to] = kind === 'd' ? wide(result) : narrow(result);
  }

  /** Executes statements. @returns what must be left: a turn of the loop, the loop, or the program */
  run(statements: readonly Statement[]): 'continue' | 'break' | 'exit' | undefined {
    for (const statement of statements) {
      switch (statement.kind) {
        case 'op':
          this.#op(statement);
          break;
        case 'compare': {
          const [x, y] = statement.args.map((value) => narrow(this.#value(value))) as [bigint, bigint];
          const { op } = statement;
          this.p[statement.to] =
            op === 'lt.f32'
              ? f32(x) < f32(y)
              : op === 'lt.s32'
                ? signed(x) < signed(y)
                : op === 'lt.u32'
                  ? x < y
                  : x === y;
          break;
        }
        case 'load':
          if (statement.guard !== undefined && !this.#holds(statement.guard)) break;
          this.r[statement.to] = BigInt(
            this.input[Number(narrow(this.#value(statement.index)) % BigInt(this.input.length))]!,
          );
          break;
        case 'if': {
          const left = this.run(this.#holds(statement.guard) ? statement.then : statement.otherwise);
          if (left !== undefined) return left;
          break;
        }
        case 'loop': {
          const counter = R + statement.counter;
          this.r[counter] = narrow(this.#value(statement.count)) % BigInt(statement.most + 1);
          for (; this.r[counter] !== 0n; this.r[counter]!--) {
            const left = this.run(statement.body);
            if (left === 'exit') return left;
            if (left === 'break') break;
          }
          break;
        }
        case 'exchange':
          throw new RangeError('Exchanges are made by the block.');
        default:
          if (!this.#holds(statement.guard)) break;
          if (statement.kind === 'exit') this.exited = true;
          return statement.kind;
      }
    }
    return undefined;
  }
}

/** Executes a block's threads; an exchange takes place where all that are left have reached it. */
export function interpret(program: readonly Statement[], extent: Extent, input: Uint32Array): Thread[] {
  const threads = Array.from({ length: extent.threads }, (_, tid) => new Thread(tid, extent, input));
  const passed = threads.map(() => 0n);
  for (const statement of program) {
    const alive = threads.filter((thread) => !thread.exited);
    if (statement.kind !== 'exchange') {
      for (const thread of alive) thread.run([statement]);
      continue;
    }
    for (const thread of alive) passed[thread.tid] = thread.r[statement.from]!;
    for (const thread of alive)
      thread.r[statement.to] = passed[(thread.tid + statement.by) % extent.threads]!;
  }
  return threads;
}
