import {
  COUNTERS,
  D,
  F,
  type Guard,
  P,
  R,
  resultKind,
  type Statement,
  type Value,
} from './random-program.js';
import { f32Bits, literal } from './scalar-values.js';

const PREFIX = { r: '%r', d: '%rd', f: '%f' } as const;
const special = { tid: '%tid.x', ctaid: '%ctaid.x', ntid: '%ntid.x', laneid: '%laneid' };

/** Writes a program as PTX, branches and all. Parameters: input, its length, output. */
class PtxWriter {
  readonly lines: string[] = [];
  #labels = 0;
  #temporary = 0;
  readonly #loops: { again: string; out: string }[] = [];

  #label(): string {
    return `L${this.#labels++}`;
  }

  #value(value: Value): string {
    switch (value.kind) {
      case 'r':
      case 'd':
      case 'f':
        return `${PREFIX[value.kind]}${value.index}`;
      case 'float':
        return literal('f32', f32Bits(value.value));
      case 'constant':
        return String(value.value);
      default:
        return special[value.name];
    }
  }

  #guarded(guard: Guard | undefined): string {
    return guard === undefined ? '' : `@${guard.negate ? '!' : ''}%p${guard.pred} `;
  }

  #op(statement: Extract<Statement, { kind: 'op' }>): void {
    const { op, to, args, guard } = statement;
    const target = `${PREFIX[resultKind(op)]}${to}`;
    const values = args.map((value) => this.#value(value));
    if (op === 'selp.b32') {
      const [x, y] = guard!.negate ? [values[1], values[0]] : values;
      this.lines.push(`selp.b32 ${target}, ${x}, ${y}, %p${guard!.pred};`);
      return;
    }
    const suffix = op === 'bfi.b32' ? ', 4, 4' : '';
    this.lines.push(`${this.#guarded(guard)}${op} ${target}, ${values.join(', ')}${suffix};`);
  }

  write(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    const { lines } = this;
    switch (statement.kind) {
      case 'op':
        this.#op(statement);
        break;
      case 'compare':
        lines.push(
          `setp.${statement.op} %p${statement.to}, ${statement.args.map((v) => this.#value(v)).join(', ')};`,
        );
        break;
      case 'load': {
        const t = this.#temporary++;
        lines.push(
          `rem.u32 %x${t}, ${this.#value(statement.index)}, %length; mul.wide.u32 %y${t}, %x${t}, 4;`,
        );
        lines.push(
          `add.s64 %z${t}, %input, %y${t}; ${this.#guarded(statement.guard)}ld.global.u32 %r${statement.to}, [%z${t}];`,
        );
        break;
      }
      case 'exchange': {
        const t = this.#temporary++;
        lines.push(`st.shared.u32 [%slot], %r${statement.from}; bar.sync 0;`);
        lines.push(
          `add.s32 %x${t}, %tid0, ${statement.by}; rem.u32 %x${t}, %x${t}, %ntid.x; shl.b32 %x${t}, %x${t}, 2;`,
        );
        lines.push(`ld.shared.u32 %r${statement.to}, [%x${t}]; bar.sync 0;`);
        break;
      }
      case 'if': {
        const [otherwise, end] = [this.#label(), this.#label()];
        const { guard } = statement;
        lines.push(`${this.#guarded({ ...guard, negate: !guard.negate })}bra ${otherwise};`);
        this.write(statement.then);
        if (statement.otherwise.length > 0) lines.push(`bra ${end};`);
        lines.push(`${otherwise}:`);
        this.write(statement.otherwise);
        lines.push(`${end}:`);
        break;
      }
      case 'loop':
        this.#loop(statement);
        break;
      case 'exit':
        lines.push(`${this.#guarded(statement.guard)}bra EXIT;`);
        break;
      default: {
        const loop = this.#loops.at(-1)!;
        lines.push(
          `${this.#guarded(statement.guard)}bra ${statement.kind === 'break' ? loop.out : loop.again};`,
        );
      }
    }
  }

  #loop(statement: Extract<Statement, { kind: 'loop' }>): void {
    const [top, again, out] = [this.#label(), this.#label(), this.#label()];
    const counter = `%r${R + statement.counter}`;
    const p = this.#temporary++;
    this.lines.push(`rem.u32 ${counter}, ${this.#value(statement.count)}, ${statement.most + 1};`);
    this.lines.push(`${top}: setp.eq.s32 %q${p}, ${counter}, 0; @%q${p} bra ${out};`);
    this.#loops.push({ again, out });
    this.write(statement.body);
    this.#loops.pop();
    this.lines.push(`${again}: sub.s32 ${counter}, ${counter}, 1; bra ${top};`, `${out}:`);
  }

  get temporaries(): number {
    return this.#temporary;
  }
}

/** Values that a thread leaves: its registers, 8 bytes each, predicates as 0 or 1. */
export const OUTPUTS = R + D + P + F;

/** A kernel that executes the program in every thread and then stores all registers, exited threads included. */
export function programPtx(program: readonly Statement[]): string {
  const writer = new PtxWriter();
  writer.write(program);
  const t = Math.max(1, writer.temporaries);
  const store = (slot: number, text: string) => `st.global.u64 [%out+${slot * 8}], ${text};`;
  const stores = [
    ...Array.from({ length: R }, (_, i) => [`cvt.u64.u32 %t0, %r${i};`, store(i, '%t0')]).flat(),
    ...Array.from({ length: D }, (_, i) => store(R + i, `%rd${i}`)),
    ...Array.from({ length: F }, (_, i) => [
      `mov.b32 %x0, %f${i}; cvt.u64.u32 %t0, %x0;`,
      store(R + D + P + i, '%t0'),
    ]).flat(),
    ...Array.from({ length: P }, (_, i) => [`selp.u64 %t0, 1, 0, %p${i};`, store(R + D + i, '%t0')]).flat(),
  ];
  const text = [
    `.reg .f32 %f<${F}>; .reg .pred %p<${P}>, %q<${t}>; .reg .b32 %r<${R + COUNTERS}>, %x<${t}>, %length, %slot, %tid0, %g;`,
    `.reg .b64 %rd<${D}>, %y<${t}>, %z<${t}>, %input, %out, %t<2>;`,
    'ld.param.u64 %input, [input]; ld.param.u32 %length, [length]; ld.param.u64 %out, [out];',
    'mov.u32 %tid0, %tid.x; shl.b32 %slot, %tid0, 2; mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x;',
    'mad.lo.s32 %g, %r1, %ntid.x, %tid0;',
    `mul.wide.u32 %t0, %g, ${OUTPUTS * 8}; add.s64 %out, %out, %t0; rem.u32 %g, %g, %length; mul.wide.u32 %t0, %g, 4;`,
    'add.s64 %t0, %input, %t0; ld.global.u32 %r2, [%t0]; mov.u32 %r3, 3;',
    'mul.wide.u32 %t1, %r1, 4; add.s64 %t1, %input, %t1; ld.global.u32 %r4, [%t1]; mov.u32 %r5, %laneid;',
    'mad.lo.s32 %r6, %tid0, 12, 64; mov.u32 %r7, 5;',
    ...Array.from({ length: COUNTERS }, (_, i) => `mov.u32 %r${R + i}, 0;`),
    'cvt.rn.f32.s32 %f0, %tid0; mov.f32 %f1, 0f3FC00000; cvt.rn.f32.s32 %f2, %r1; mul.f32 %f3, %f0, 0f3DCCCCCD;',
    'cvt.u64.u32 %rd0, %tid0; cvt.u64.u32 %rd1, %r2; mov.u64 %rd2, 7; mov.u64 %rd3, 4294967312;',
    'and.b32 %g, %tid0, 1; setp.eq.u32 %p0, %g, 1; setp.ne.s32 %p1, %r1, 0;',
    'setp.gt.u32 %p2, %r2, 2147483648; setp.ne.s32 %p3, 0, 0; st.shared.u32 [%slot], 0;',
    ...writer.lines,
    // A thread that leaves early must not meet the others again: they may yet come to a barrier.
    ...stores,
    'ret;',
    'EXIT:',
    ...stores,
    'ret;',
  ].join('\n');
  const params = '.param .u64 input, .param .u32 length, .param .u64 out';
  return `.version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k(${params}) {\n.shared .align 16 .b8 slots[4096];\n${text}\n}\n`;
}
