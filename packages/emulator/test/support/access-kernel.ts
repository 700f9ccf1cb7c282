/** Memory types, with the registers that may hold them. */
export const ACCESS_TYPES = [
  ['u8', 'b16'],
  ['s8', 'b16'],
  ['u8', 'b32'],
  ['s8', 'b32'],
  ['b8', 'b16'],
  ['u16', 'b16'],
  ['s16', 'b32'],
  ['u16', 'b32'],
  ['s16', 'b64'],
  ['u32', 'b32'],
  ['f32', 'f32'],
  ['f32', 'b32'],
  ['b32', 'f32'],
  ['u32', 'b64'],
  ['s32', 'b64'],
  ['u64', 'b64'],
  ['f64', 'f64'],
  ['b64', 'f64'],
] as const;

export type AccessType = (typeof ACCESS_TYPES)[number][0];
export type RegisterType = (typeof ACCESS_TYPES)[number][1];

export const bytesOf = (type: string): number => Number(/\d+/.exec(type)![0]) / 8;

/** Threads of the block that accesses. */
export const THREADS = 64;

/** Element (of the vector's size) that thread `t` accesses. Each thread of a store has its own, but for `shared by all`. */
export const PATTERNS: Readonly<Record<string, (t: number) => number>> = {
  contiguous: (t) => t,
  strided: (t) => 3 * t,
  backwards: (t) => THREADS - 1 - t,
  scattered: (t) => (t * 37 + 11) % (2 * THREADS),
  'in pairs': (t) => t >> 1,
  'shared by all': () => 5,
};
export const ELEMENTS = 4 * THREADS;

/** PTX that puts the element's number into %e. Only the first three patterns are steady from lane to lane. */
const INDEX: Readonly<Record<string, string>> = {
  contiguous: 'mov.u32 %e, %t;',
  strided: 'mul.lo.s32 %e, %t, 3;',
  backwards: `sub.s32 %e, ${THREADS - 1}, %t;`,
  scattered: `mad.lo.s32 %e, %t, 37, 11; rem.u32 %e, %e, ${2 * THREADS};`,
  'in pairs': 'shr.u32 %e, %t, 1;',
  'shared by all': 'mov.u32 %e, 5;',
};

export type Space = 'global' | 'shared' | 'generic global' | 'generic shared';
export const SPACES: readonly Space[] = ['global', 'shared', 'generic global', 'generic shared'];

export interface AccessCase {
  readonly type: AccessType;
  readonly register: RegisterType;
  readonly vector: 1 | 2 | 4;
  readonly pattern: string;
  readonly space: Space;
  /** Threads that take part: all, by a branch that splits lanes, or by a guard on the access. */
  readonly who: 'all' | 'branch' | 'guard';
}

/** Whether a thread takes part. */
export const takesPart = (who: AccessCase['who'], t: number): boolean =>
  who === 'all' || (t % 3 !== 0 && t < 50);

const suffix = (vector: number) => (vector === 1 ? '' : `.v${vector}`);
const list = (names: readonly string[]) => (names.length === 1 ? names[0]! : `{${names.join(', ')}}`);

function address({ space, pattern, type, vector }: AccessCase): string {
  const bytes = bytesOf(type) * vector;
  const index = INDEX[pattern]!.replaceAll('%e', '%own');
  if (space === 'shared') return `${index} mov.u32 %base32, image; mad.lo.s32 %at, %own, ${bytes}, %base32;`;
  const base =
    space === 'generic shared'
      ? 'mov.u64 %base, image; cvta.shared.u64 %base, %base;'
      : 'mov.u64 %base, %memory;';
  return `${index} ${base} mul.wide.s32 %step, %own, ${bytes}; add.s64 %at, %base, %step;`;
}

function guarded(who: AccessCase['who'], text: string): string {
  if (who === 'all') return text;
  return who === 'guard' ? `@%part ${text}` : `@!%part bra SKIP;\n${text}\nSKIP:`;
}

/**
 * A kernel that moves vectors between `memory` and `values`: for a load, each thread leaves its registers in
 * `values`; for a store, it takes them from there. Shared memory is filled from `memory`, or copied back to it.
 */
export function accessKernel(kind: 'ld' | 'st', access: AccessCase): string {
  const { type, register, vector, space, who } = access;
  const inShared = space.endsWith('shared');
  const names = Array.from({ length: vector }, (_, i) => `%v${i}`);
  const words = (ELEMENTS * bytesOf(type) * vector) / 4;
  const ptxSpace = space.startsWith('generic') ? '' : `.${space}`;
  const copy = (from: string, to: string) => `
mov.u32 %i, %t;
COPY${from}:
mul.wide.u32 %off, %i, 4; add.s64 %off, %memory, %off; shl.b32 %soff, %i, 2; mov.u32 %base32, image; add.s32 %soff, %soff, %base32;
ld.${from}.u32 %word, [${from === 'global' ? '%off' : '%soff'}]; st.${to}.u32 [${to === 'global' ? '%off' : '%soff'}], %word;
add.s32 %i, %i, ${THREADS}; setp.lt.u32 %more, %i, ${words}; @%more bra COPY${from};
bar.sync 0;`;
  const own = `mul.wide.u32 %voff, %t, ${8 * vector}; add.s64 %values, %values, %voff;`;
  const moves = (op: 'ld' | 'st') =>
    names
      .map((v, i) =>
        op === 'ld'
          ? `ld.global.${register} ${v}, [%values+${8 * i}];`
          : `st.global.${register} [%values+${8 * i}], ${v};`,
      )
      .join('\n');
  const data = list(names);
  const text =
    kind === 'ld'
      ? `${moves('ld')}\n${guarded(who, `ld${ptxSpace}${suffix(vector)}.${type} ${data}, [%at];`)}\n${moves('st')}`
      : `${moves('ld')}\n${guarded(who, `st${ptxSpace}${suffix(vector)}.${type} [%at], ${data};`)}`;
  return `.version 8.5
.target sm_80
.address_size 64
.visible .entry k(.param .u64 memory, .param .u64 values) {
.shared .align 16 .b8 image[${words * 4}];
.reg .pred %part, %more; .reg .b32 %t, %own, %i, %word, %soff, %base32, %rest; .reg .b64 %memory, %values, %voff, %off, %base, %step;
.reg .${register} ${names.join(', ')}; .reg .b${space === 'shared' ? 32 : 64} %at;
ld.param.u64 %memory, [memory]; ld.param.u64 %values, [values]; mov.u32 %t, %tid.x;
rem.u32 %rest, %t, 3; setp.ne.s32 %part, %rest, 0; setp.lt.and.u32 %part, %t, 50, %part;
${inShared ? copy('global', 'shared') : ''}
${own}
${address(access)}
${text}
${inShared && kind === 'st' ? `bar.sync 0;${copy('shared', 'global')}` : ''}
ret;
}
`;
}
