/** A small program for one thread, as a tree: written as PTX by `programPtx`, executed by `interpret`. */
export type Statement =
  /** r[to] = op(x, y, z) on 32 bits; d[to] on 64. Under a guard where there is one. */
  | {
      readonly kind: 'op';
      readonly op: Op;
      readonly to: number;
      readonly args: readonly Value[];
      readonly guard?: Guard;
    }
  /** p[to] = x < y, signed or not, or x == y. */
  | {
      readonly kind: 'compare';
      readonly op: Comparison;
      readonly to: number;
      readonly args: readonly [Value, Value];
    }
  /** r[to] = input[index mod its length]. */
  | { readonly kind: 'load'; readonly to: number; readonly index: Value; readonly guard?: Guard }
  /** The block's threads pass r[from] on to the thread `by` further: with barriers, so only where all are together. */
  | { readonly kind: 'exchange'; readonly to: number; readonly from: number; readonly by: number }
  | {
      readonly kind: 'if';
      readonly guard: Guard;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  /** Repeats while the counter, at most `most`, is not zero. */
  | {
      readonly kind: 'loop';
      readonly counter: number;
      readonly count: Value;
      readonly most: number;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'break' | 'continue' | 'exit'; readonly guard: Guard };

export interface Guard {
  readonly pred: number;
  readonly negate: boolean;
}

export type Value =
  | { readonly kind: Kind; readonly index: number }
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'special'; readonly name: 'tid' | 'ctaid' | 'ntid' | 'laneid' };

export const OPS = {
  'add.s32': 2,
  'sub.s32': 2,
  'mul.lo.s32': 2,
  'mad.lo.s32': 3,
  'and.b32': 2,
  'or.b32': 2,
  'xor.b32': 2,
  'not.b32': 1,
  'shl.b32': 2,
  'shr.u32': 2,
  'shr.s32': 2,
  'min.s32': 2,
  'max.u32': 2,
  'neg.s32': 1,
  'mov.u32': 1,
  'selp.b32': 2,
  'rem.u32': 2,
  'bfi.b32': 2,
  'add.s64': 2,
  'shl.b64': 2,
  'and.b64': 2,
  'mul.wide.u32': 2,
  'mul.wide.s32': 2,
  'cvt.s64.s32': 1,
  'cvt.u64.u32': 1,
  'cvt.u32.u64': 1,
  'fma.rn.f32': 3,
  'add.rn.f32': 2,
  'mul.rn.f32': 2,
  'neg.f32': 1,
  'cvt.rn.f32.s32': 1,
  'cvt.rzi.s32.f32': 1,
} as const;
export type Op = keyof typeof OPS;
export type Comparison = 'lt.s32' | 'lt.u32' | 'eq.s32' | 'lt.f32';

/** Kinds of registers: 32-bit and 64-bit integers, float32. */
export type Kind = 'r' | 'd' | 'f';

export function resultKind(op: Op): Kind {
  if (op === 'cvt.u32.u64' || op === 'cvt.rzi.s32.f32') return 'r';
  if (/\.f32/.test(op)) return 'f';
  return /64$|^mul\.wide|^cvt\.[su]64/.test(op) ? 'd' : 'r';
}

export function operandKind(op: Op, position: number): Kind {
  if (
    op === 'cvt.rn.f32.s32' ||
    op.startsWith('mul.wide') ||
    op.startsWith('cvt.s64') ||
    op === 'cvt.u64.u32'
  )
    return 'r';
  if (op.endsWith('.f32')) return 'f';
  if (op === 'shl.b64') return position === 1 ? 'r' : 'd';
  return op.endsWith('64') ? 'd' : 'r';
}

export const R = 8;
export const D = 4;
export const F = 4;
export const P = 4;
/** Registers of a kind that operations use. */
const COUNT: Readonly<Record<Kind, number>> = { r: R, d: D, f: F };
/** Registers of loop counters, one a level of nesting. */
export const COUNTERS = 4;

/** A generator of reproducible numbers (mulberry32). */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  /** A whole number in 0..n−1. */
  below(n: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  }
  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}

const CONSTANTS = [
  0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 31, 32, 33, 64, 255, 1024, -1, -4, -16, 0x7fffffff, -0x80000000,
  0x12345678,
];

const FLOATS = [0, 1, -0.5, 1.5, 1 + 2 ** -23, 1e-3].map(Math.fround);

/** Makes random programs that always end. */
export class ProgramWriter {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  program(): Statement[] {
    return this.#statements(6 + this.#random.below(6), 0, false, true);
  }

  #guard(): Guard {
    return { pred: this.#random.below(P), negate: this.#random.chance(50) };
  }

  #value(kind: Kind, level: number): Value {
    const random = this.#random;
    if (random.chance(kind === 'r' ? 45 : 80)) return { kind, index: random.below(COUNT[kind]) };
    if (kind === 'f') return { kind: 'float', value: random.pick(FLOATS) };
    if (kind === 'd' || random.chance(50)) return { kind: 'constant', value: random.pick(CONSTANTS) };
    if (level > 0 && random.chance(30)) return { kind: 'r', index: R + random.below(level) };
    return { kind: 'special', name: random.pick(['tid', 'tid', 'ctaid', 'ntid', 'laneid'] as const) };
  }

  #op(level: number): Statement {
    const random = this.#random;
    const op = random.pick(Object.keys(OPS) as Op[]);
    const args = Array.from({ length: OPS[op] }, (_, i): Value => {
      // Shapes depend on shifts and masks by known constants.
      if (i === 1 && /^(sh|and|mul.lo)/.test(op) && random.chance(70)) {
        return { kind: 'constant', value: random.pick([1, 2, 3, 4, 5, 8, 12, 15, 16, 28, 31]) };
      }
      return this.#value(operandKind(op, i), level);
    });
    const guard = random.chance(20) || op === 'selp.b32' ? this.#guard() : undefined;
    const to = random.below(COUNT[resultKind(op)]);
    return { kind: 'op', op, to, args, ...(guard === undefined ? {} : { guard }) };
  }

  #simple(level: number): Statement {
    const random = this.#random;
    const roll = random.below(100);
    if (roll < 20) {
      const op = random.pick(['lt.s32', 'lt.u32', 'eq.s32', 'lt.f32'] as const);
      const kind = op === 'lt.f32' ? 'f' : 'r';
      return {
        kind: 'compare',
        op,
        to: random.below(P),
        args: [this.#value(kind, level), this.#value(kind, level)],
      };
    }
    if (roll < 28) {
      const guard = random.chance(40) ? { guard: this.#guard() } : {};
      return { kind: 'load', to: random.below(R), index: this.#value('r', level), ...guard };
    }
    return this.#op(level);
  }

  /** @param level loops around the statements. @param together no thread of the block can be elsewhere */
  #statements(count: number, level: number, inLoop: boolean, together: boolean): Statement[] {
    const random = this.#random;
    const list: Statement[] = [];
    for (let i = 0; i < count; i++) {
      const roll = random.below(100);
      if (roll < 14) {
        const then = this.#statements(1 + random.below(4), level, inLoop, false);
        const otherwise = random.chance(50)
          ? this.#statements(1 + random.below(4), level, inLoop, false)
          : [];
        list.push({ kind: 'if', guard: this.#guard(), then, otherwise });
      } else if (roll < 22 && level < COUNTERS - 1) {
        const body = this.#statements(1 + random.below(4), level + 1, true, false);
        list.push({
          kind: 'loop',
          counter: level,
          count: this.#value('r', level),
          most: 1 + random.below(5),
          body,
        });
      } else if (roll < 27 && inLoop) {
        list.push({ kind: random.chance(50) ? 'break' : 'continue', guard: this.#guard() });
      } else if (roll < 29 && !together) {
        list.push({ kind: 'exit', guard: this.#guard() });
      } else if (roll < 40 && together) {
        list.push({ kind: 'exchange', to: random.below(R), from: random.below(R), by: random.below(9) });
      } else list.push(this.#simple(level));
    }
    return list;
  }
}
