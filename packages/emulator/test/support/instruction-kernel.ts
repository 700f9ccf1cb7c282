import { type Form, type OperandKind, type Use, usesOf } from './instruction-form.js';
import { edgesOf, literal, type Scalar, sameValue, widthOf, wrap } from './scalar-values.js';

/** Steps from thread to thread of the affine operands, by position. */
const STEPS = [1n, 3n, 4n];
/** Immediates, by position: indices into the edge values. */
const IMMEDIATE = [4, 2, 3];

const bitsType = (type: Scalar): string =>
  type === 'pred' ? 'pred' : type === 'f32' || type === 'f64' ? type : `b${widthOf(type)}`;
const name = (kind: OperandKind, position: number): string => `%${kind}${position}`;

/** A kernel that executes one form in every use, straight and on both sides of a branch that splits lanes. */
export class InstructionKernel {
  readonly form: Form;
  readonly uses: readonly Use[];
  readonly grid: number;
  readonly ptx: string;

  constructor(form: Form) {
    this.form = form;
    this.uses = usesOf(form);
    // All pairs of edge values for two operands.
    this.grid = form.args.length === 1 ? 1 : 4;
    this.ptx = this.#text();
  }

  /** Values a thread has: those of the array in the kernel, and the block's. */
  get elements(): number {
    return this.grid * 64;
  }

  /** The varying operand of a position, by the index of the thread in the grid. */
  varying(position: number, index: number): bigint {
    const edges = edgesOf(this.form.args[position]!);
    if (position === 0) return edges[index % edges.length]!;
    if (position === 1) return edges[Math.floor(index / 16) % edges.length]!;
    return edges[(index * 5 + Math.floor(index / 16) * 3) % edges.length]!;
  }

  /** The uniform operand of a position, by block. */
  uniform(position: number, block: number): bigint {
    const edges = edgesOf(this.form.args[position]!);
    return edges[(block * 3 + position * 5 + 8) % edges.length]!;
  }

  operand(kind: OperandKind, position: number, index: number, threads: number): bigint {
    const block = Math.floor(index / threads);
    switch (kind) {
      case 'varying':
        return this.varying(position, index);
      case 'uniform':
        return this.uniform(position, block);
      case 'affine':
        return wrap(
          this.form.args[position]!,
          this.uniform(position, block) + STEPS[position]! * BigInt(index % threads),
        );
      case 'immediate':
        return edgesOf(this.form.args[position]!)[IMMEDIATE[position]!]!;
    }
  }

  /** What one thread must have stored. */
  expected(use: Use, index: number, threads: number): bigint {
    const { form } = this;
    const args = use.kinds.map((kind, position) => this.operand(kind, position, index, threads));
    if (use.guard !== undefined) {
      const holds = use.guard.kind === 'varying' ? (index >> 1) & 1 : Math.floor(index / threads) & 1;
      if (holds === (use.guard.negate ? 1 : 0)) return wrap(form.result, 1n);
    }
    const result = form.model(...args);
    return use.inPlace ? form.model(result, ...args.slice(1)) : result;
  }

  /** Index in the output of a use's result: part 0 is straight code, part 1 the branches. */
  place(part: 0 | 1, use: number, index: number): number {
    return (part * this.uses.length + use) * this.elements + index;
  }

  get outputs(): number {
    return 2 * this.uses.length * this.elements;
  }

  /** The first few results that differ, as sentences. */
  differences(out: BigUint64Array, threads: number): string[] {
    const { form, uses } = this;
    const hex = (bits: bigint) => `0x${bits.toString(16)}`;
    const found: string[] = [];
    for (const [u, use] of uses.entries()) {
      for (let index = 0; index < this.grid * threads; index++) {
        const want = this.expected(use, index, threads);
        for (const part of [0, 1] as const) {
          const got = out[this.place(part, u, index)]!;
          if (sameValue(form.result, got, want)) continue;
          const args = use.kinds
            .map((kind, p) => `${kind} ${hex(this.operand(kind, p, index, threads))}`)
            .join(', ');
          const how = `${JSON.stringify(use.guard ?? {})}${use.inPlace ? ' in place' : ''}`;
          found.push(
            `${form.text} (${args}) ${how}, thread ${index}, ${part === 0 ? 'straight' : 'diverged'}: ${hex(got)}, not ${hex(want)}`,
          );
          break;
        }
        if (found.length > 4) return found;
      }
    }
    return found;
  }

  // ---- the text

  #text(): string {
    const { form } = this;
    const lines: string[] = [];
    for (const [position, type] of form.args.entries()) lines.push(...this.#loads(position, type));
    lines.push(...this.uses.flatMap((use, u) => [...this.#use(use, '%d'), ...this.#store('%d', 0, u)]));
    // Each side computes all; the values are stored where the lanes have met again.
    for (const side of ['odd', 'even']) {
      if (side === 'odd') lines.push('@!%odd bra EVEN;');
      else lines.push('bra MEET;', 'EVEN:');
      for (const [u, use] of this.uses.entries()) lines.push(...this.#use(use, `%o${u}`));
    }
    lines.push('MEET:', ...this.uses.flatMap((_, u) => this.#store(`%o${u}`, 1, u)));
    const registers = [
      `.reg .${bitsType(form.result)} %d, ${this.uses.map((_, u) => `%o${u}`).join(', ')};`,
      ...form.args.flatMap((type, p) =>
        (['varying', 'affine', 'uniform'] as const).map(
          (kind) => `.reg .${bitsType(type)} ${name(kind, p)};`,
        ),
      ),
      ...form.args.map(
        (type, p) => `.reg .b${widthOf(type) === 64 ? 64 : 32} %own${p}, %base${p}, %sum${p};`,
      ),
      '.reg .pred %odd, %gvarying, %guniform; .reg .b32 %i, %t, %c, %x<8>; .reg .b64 %at, %in, %own, %w<8>;',
    ];
    const head = [
      'mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %x0, %ntid.x; mad.lo.s32 %i, %c, %x0, %t;',
      'and.b32 %x1, %t, 1; setp.ne.s32 %odd, %x1, 0;',
      'shr.u32 %x2, %i, 1; and.b32 %x2, %x2, 1; setp.ne.s32 %gvarying, %x2, 0;',
      'and.b32 %x3, %c, 1; setp.ne.s32 %guniform, %x3, 0;',
      'ld.param.u64 %in, [in]; mul.wide.u32 %w0, %i, 8; add.s64 %own, %in, %w0; ld.param.u64 %at, [out]; add.s64 %at, %at, %w0;',
    ];
    const params = '.param .u64 in, .param .u64 uni, .param .u64 out';
    const text = [...registers, ...head, ...lines, 'ret;'].join('\n');
    return `.version 8.5\n.target ${form.target ?? 'sm_80'}\n.address_size 64\n.visible .entry k(${params}) {\n${text}\n}\n`;
  }

  #loads(position: number, type: Scalar): string[] {
    const [varying, affine, uniform] = (['varying', 'affine', 'uniform'] as const).map((kind) =>
      name(kind, position),
    );
    const from = [`[%own+${position * this.elements * 8}]`, `[%w2+${position * 8 * 4}]`];
    const lines = ['ld.param.u64 %w1, [uni]; mul.wide.u32 %w2, %c, 8; add.s64 %w2, %w1, %w2;'];
    if (type === 'pred') {
      return [
        ...lines,
        ...[varying, uniform].map(
          (register, i) => `ld.global.u32 %x4, ${from[i]}; setp.ne.s32 ${register}, %x4, 0;`,
        ),
      ];
    }
    lines.push(
      ...[varying, uniform].map((register, i) => `ld.global.${bitsType(type)} ${register}, ${from[i]};`),
    );
    // Registers of its own: one that is written for several operands would be affine for none.
    const [own, base, sum] = ['own', 'base', 'sum'].map((word) => `%${word}${position}`);
    const step = STEPS[position]!;
    if (widthOf(type) === 64) {
      lines.push(
        `ld.global.b64 ${base}, ${from[1]}; mul.wide.u32 ${own}, %t, ${step}; add.s64 ${sum}, ${base}, ${own};`,
      );
    } else {
      lines.push(`ld.global.b32 ${base}, ${from[1]}; mad.lo.s32 ${sum}, %t, ${step}, ${base};`);
    }
    lines.push(
      widthOf(type) === 16 ? `cvt.u16.u32 ${affine}, ${sum};` : `mov.b${widthOf(type)} ${affine}, ${sum};`,
    );
    return lines;
  }

  #use(use: Use, to: string): string[] {
    const { form } = this;
    const operands = use.kinds.map((kind, position) =>
      kind === 'immediate'
        ? literal(form.args[position]!, edgesOf(form.args[position]!)[IMMEDIATE[position]!]!)
        : name(kind, position),
    );
    const suffix = form.suffix === undefined ? '' : `, ${form.suffix}`;
    if (use.inPlace) {
      const step = `${form.text} ${[to, to, ...operands.slice(1)].join(', ')}${suffix};`;
      return [`mov.${bitsType(form.result)} ${to}, ${operands[0]};`, step, step];
    }
    const { guard } = use;
    const before =
      form.result === 'pred'
        ? [`setp.eq.s32 ${to}, 0, 0;`]
        : [`mov.${bitsType(form.result)} ${to}, ${literal(form.result, 1n)};`];
    const prefix = guard === undefined ? '' : `@${guard.negate ? '!' : ''}%g${guard.kind} `;
    return [
      ...(guard === undefined ? [] : before),
      `${prefix}${form.text} ${[to, ...operands].join(', ')}${suffix};`,
    ];
  }

  #store(register: string, part: 0 | 1, use: number): string[] {
    const at = `[%at+${this.place(part, use, 0) * 8}]`;
    if (this.form.result === 'pred') return [`selp.u32 %x6, 1, 0, ${register};`, `st.global.u32 ${at}, %x6;`];
    return [`st.global.${bitsType(this.form.result)} ${at}, ${register};`];
  }
}

/** The inputs of a launch: varying operands position by position, then the uniform ones. */
export function inputsOf(kernel: InstructionKernel): { varying: BigUint64Array; uniform: BigUint64Array } {
  const { args } = kernel.form;
  const varying = new BigUint64Array(args.length * kernel.elements);
  const uniform = new BigUint64Array(args.length * 4);
  for (const position of args.keys()) {
    for (let i = 0; i < kernel.elements; i++)
      varying[position * kernel.elements + i] = kernel.varying(position, i);
    for (let block = 0; block < 4; block++) uniform[position * 4 + block] = kernel.uniform(position, block);
  }
  return { varying, uniform };
}
