import { bulkKernels } from './golden-bulk.js';
import { bits, type GoldenKernel, goldenKernel, PLANE, register } from './golden-kernel.js';
import type { Scalar } from './scalar-values.js';

/** `atom` and `red` on a cell of each thread its own: the old value, and what both leave. */
function atomic(op: string, type: Scalar, space: 'global' | 'shared'): GoldenKernel {
  const [cell, value, swap, old] = [0, 1, 2, 3].map((n) => register(type, n)) as [
    string,
    string,
    string,
    string,
  ];
  const typed = bits(type);
  const operands = op === 'cas' ? `${value}, ${swap}` : value;
  const hasRed = op !== 'cas' && op !== 'exch';
  const at = (plane: number) =>
    space === 'global' ? `[%rd2+${plane * PLANE}]` : `[%r5+${512 * (plane - 1)}]`;
  const name = `${op}.${type} ${space}`;
  const body = `.shared .align 8 .b8 cells[1024]; mov.u32 %r4, cells; mad.lo.s32 %r5, %r0, 8, %r4;
ld.global.${typed} ${cell}, [%rd1]; ld.global.${typed} ${value}, [%rd1+${PLANE}]; ld.global.${typed} ${swap}, [%rd1+${2 * PLANE}];
st.${space}.${typed} ${at(1)}, ${cell}; st.${space}.${typed} ${at(2)}, ${cell};
atom.${space}.${op}.${type} ${old}, ${at(1)}, ${operands}; st.global.${typed} [%rd2], ${old};
${hasRed ? `red.${space}.${op}.${type} ${at(2)}, ${operands};` : ''}
ld.${space}.${typed} ${cell}, ${at(1)}; st.global.${typed} [%rd2+${PLANE}], ${cell}; ld.${space}.${typed} ${cell}, ${at(2)}; st.global.${typed} [%rd2+${2 * PLANE}], ${cell};`;
  return goldenKernel(name, type, body, 3, [type, type, type]);
}

/** Vectors of floats: cells in the output's last planes, side by side, which are cleared at the end. */
function vectorAdd(count: 2 | 4, what: 'atom' | 'red'): GoldenKernel {
  const list = (first: number) => `{${Array.from({ length: count }, (_, i) => `%f${first + i}`).join(', ')}}`;
  const each = (of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join('\n');
  const vectors = `v${count}.f32`;
  const body = `ld.param.u64 %rd3, [out]; mul.wide.u32 %rd4, %r2, 16; add.s64 %rd4, %rd3, %rd4; add.s64 %rd4, %rd4, ${8 * PLANE};
${each((i) => `ld.global.f32 %f${i}, [%rd1+${i % 2 === 0 ? 0 : PLANE}]; ld.global.f32 %f${4 + i}, [%rd1+${i < 2 ? PLANE : 2 * PLANE}];`)}
st.global.${vectors} [%rd4], ${list(0)};
${what === 'atom' ? `atom.global.add.${vectors} ${list(8)}, [%rd4], ${list(4)};` : `red.relaxed.gpu.global.add.${vectors} [%rd4], ${list(4)};`}
${what === 'atom' ? each((i) => `st.global.f32 [%rd2+${i * PLANE}], %f${8 + i};`) : ''}
ld.global.${vectors} ${list(0)}, [%rd4]; mov.f32 %f8, 0f00000000;
${each((i) => `st.global.f32 [%rd2+${(4 + i) * PLANE}], %f${i}; st.global.f32 [%rd4+${4 * i}], %f8;`)}`;
  return goldenKernel(`${what}.add.${vectors}`, 'f32', body, 10, ['f32', 'f32', 'f32']);
}

/** A copy of `size` bytes, of which each thread reads as many as its number says, or all; seen by another thread. */
function copy(how: string, size: number, partial: boolean): GoldenKernel {
  const body = `.shared .align 16 .b8 tile[1024]; mov.u32 %r4, tile; mad.lo.s32 %r5, %r0, 16, %r4; xor.b32 %r6, %r0, 37; mad.lo.s32 %r6, %r6, 16, %r4;
ld.param.u64 %rd3, [in]; mul.wide.u32 %rd4, %r2, 16; add.s64 %rd3, %rd3, %rd4; rem.u32 %r7, %r2, ${size + 1};
st.shared.v2.b64 [%r5], {-1, -1}; bar.sync 0;
cp.async.${how}.shared.global.L2::128B [%r5], [%rd3], ${size}${partial ? ', %r7' : ''}; cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;
ld.shared.v2.b64 {%rd5, %rd6}, [%r6]; st.global.b64 [%rd2], %rd5; st.global.b64 [%rd2+${PLANE}], %rd6;`;
  return goldenKernel(`cp.async.${how} ${size}${partial ? ' of each its own' : ''}`, 'b64', body, 2, [
    'b64',
    'b64',
  ]);
}

function shuffle(mode: string, clamp: number): GoldenKernel {
  const body = `ld.global.b32 %r4, [%rd1]; ld.global.b32 %r5, [%rd1+${PLANE}]; xor.b32 %r5, %r5, %r2; mad.lo.s32 %r6, %r2, 77, %r4;
shfl.sync.${mode}.b32 %r7|%p1, %r6, %r5, ${clamp}, -1; st.global.b32 [%rd2], %r7; selp.b32 %r8, 1, 0, %p1; st.global.b32 [%rd2+${PLANE}], %r8;`;
  return goldenKernel(`shfl.sync.${mode} 0x${clamp.toString(16)}`, 'b32', body, 2, ['b32', 'b32']);
}

function vote(mode: string): GoldenKernel {
  const ballot = mode === 'ballot';
  const to = ballot ? '%r7' : '%p3';
  // Warps of which some, all and no lanes agree.
  const body = `shr.u32 %r4, %r2, 5; and.b32 %r5, %r4, 3; mul.lo.s32 %r6, %r5, 11; setp.lt.u32 %p1, %r3, %r6; setp.eq.s32 %p2, %r5, 3; or.pred %p1, %p1, %p2;
vote.sync.${mode}.${ballot ? 'b32' : 'pred'} ${to}, %p1, -1; ${ballot ? '' : 'selp.b32 %r7, 1, 0, %p3;'} st.global.b32 [%rd2], %r7;
vote.sync.${mode}.${ballot ? 'b32' : 'pred'} ${to}, !%p1, -1; ${ballot ? '' : 'selp.b32 %r7, 1, 0, %p3;'} st.global.b32 [%rd2+${PLANE}], %r7;`;
  return goldenKernel(`vote.sync.${mode}`, 'b32', body, 2, []);
}

/** `match.sync`, `redux.sync` and votes of the lanes whose number has the bits of the block's. */
function together(name: string, instruction: string, mask: 'all' | 'some'): GoldenKernel {
  // Lanes of one residue modulo 4 take part together.
  const some = 'and.b32 %r8, %r3, 3; shl.b32 %r9, 0x11111111, %r8;';
  const full = 'mov.b32 %r9, -1;';
  const body = `ld.global.b32 %r4, [%rd1]; ld.global.b64 %rd5, [%rd1+${PLANE}]; ${mask === 'some' ? some : full}
shr.u32 %r5, %r3, 3; add.s32 %r5, %r5, %r4; setp.ne.s32 %p1, %r4, 0; mov.b32 %r7, 0; setp.eq.s32 %p2, 0, 1;
${instruction}
selp.b32 %r10, 1, 0, %p2; st.global.b32 [%rd2], %r7; st.global.b32 [%rd2+${PLANE}], %r10;`;
  return goldenKernel(`${name} of ${mask} lanes`, 'b32', body, 2, ['b32', 'b64']);
}

const TOGETHER: Readonly<Record<string, string>> = {
  'match.any.sync.b32': 'match.any.sync.b32 %r7, %r4, %r9;',
  'match.any.sync.b64': 'match.any.sync.b64 %r7, %rd5, %r9;',
  'match.all.sync.b32': 'match.all.sync.b32 %r7|%p2, %r5, %r9;',
  'match.all.sync.b64': 'match.all.sync.b64 %r7|%p2, %rd5, %r9;',
  'redux.sync.add.s32': 'redux.sync.add.s32 %r7, %r4, %r9;',
  'redux.sync.min.s32': 'redux.sync.min.s32 %r7, %r4, %r9;',
  'redux.sync.max.s32': 'redux.sync.max.s32 %r7, %r4, %r9;',
  'redux.sync.add.u32': 'redux.sync.add.u32 %r7, %r4, %r9;',
  'redux.sync.min.u32': 'redux.sync.min.u32 %r7, %r4, %r9;',
  'redux.sync.max.u32': 'redux.sync.max.u32 %r7, %r4, %r9;',
  'redux.sync.and.b32': 'redux.sync.and.b32 %r7, %r4, %r9;',
  'redux.sync.or.b32': 'redux.sync.or.b32 %r7, %r4, %r9;',
  'redux.sync.xor.b32': 'redux.sync.xor.b32 %r7, %r4, %r9;',
  'vote.sync.ballot.b32': 'vote.sync.ballot.b32 %r7, %p1, %r9;',
  'vote.sync.uni.pred': 'vote.sync.uni.pred %p2, %p1, %r9;',
  'elect.sync': 'elect.sync %r7|%p2, %r9;',
};

/** `bar.red` of all threads of a block, each with its own predicate. */
function barrierReduction(what: 'and.pred' | 'or.pred' | 'popc.u32'): GoldenKernel {
  const to = what === 'popc.u32' ? '%r7' : '%p2';
  const body = `ld.global.b32 %r4, [%rd1]; and.b32 %r5, %r4, 1; setp.eq.s32 %p1, %r5, 1;
bar.red.${what} ${to}, 0, %p1; ${what === 'popc.u32' ? '' : 'selp.b32 %r7, 1, 0, %p2;'} st.global.b32 [%rd2], %r7;`;
  return goldenKernel(`bar.red.${what}`, 'b32', body, 1, ['b32']);
}

/** Sums, differences and products of two words, by their carry. */
function carries(width: 32 | 64): GoldenKernel {
  const [r, type] = width === 32 ? ['%r', 'u32'] : ['%rd', 'u64'];
  const [a, b, c, d] = [30, 31, 32, 33].map((n) => `${r}${n}`) as [string, string, string, string];
  const load = (to: string, plane: number) => `ld.global.b${width} ${to}, [%rd1+${plane * PLANE}];`;
  const store = (plane: number) =>
    `st.global.b${width} [%rd2+${2 * plane * PLANE}], ${c}; st.global.b${width} [%rd2+${(2 * plane + 1) * PLANE}], ${d};`;
  const body = `${load(a, 0)} ${load(b, 1)}
add.cc.${type} ${c}, ${a}, ${b}; addc.cc.${type} ${d}, ${b}, ${b}; addc.${type} ${d}, ${d}, ${a}; ${store(0)}
sub.cc.${type} ${c}, ${a}, ${b}; subc.cc.${type} ${d}, ${b}, ${a}; subc.${type} ${d}, ${d}, ${a}; ${store(1)}
mad.lo.cc.${type} ${c}, ${a}, ${b}, ${a}; madc.hi.cc.${type} ${d}, ${a}, ${b}, ${b}; madc.lo.${type} ${d}, ${d}, ${b}, ${a}; ${store(2)}`;
  return goldenKernel(`carries of ${width} bits`, width === 32 ? 'b32' : 'b64', body, 6, [
    width === 32 ? 'b32' : 'b64',
    width === 32 ? 'b32' : 'b64',
  ]);
}

const SPACES = ['global', 'shared'] as const;
const INTEGERS = ['u32', 's32', 'u64', 's64'] as const;

export const goldenKernels: readonly GoldenKernel[] = [
  ...SPACES.flatMap((space) => [
    ...(['u32', 's32', 'u64', 'f32', 'f64'] as const).map((type) => atomic('add', type, space)),
    ...(['min', 'max'] as const).flatMap((op) => INTEGERS.map((type) => atomic(op, type, space))),
    ...(['and', 'or', 'xor', 'exch', 'cas'] as const).flatMap((op) =>
      (['b32', 'b64'] as const).map((type) => atomic(op, type, space)),
    ),
    ...(['inc', 'dec'] as const).map((op) => atomic(op, 'u32', space)),
  ]),
  ...([2, 4] as const).flatMap((count) => [vectorAdd(count, 'atom'), vectorAdd(count, 'red')]),
  ...(
    [
      ['ca', 4],
      ['ca', 8],
      ['ca', 16],
      ['cg', 16],
    ] as const
  ).flatMap(([how, size]) => [copy(how, size, false), copy(how, size, true)]),
  ...['idx', 'up', 'down', 'bfly'].flatMap((mode) =>
    [0x1f, 0x101f, 0x1c1f, 0, 0x1000, 0x0b].map((clamp) => shuffle(mode, clamp)),
  ),
  ...['all', 'any', 'uni', 'ballot'].map(vote),
  ...SPACES.flatMap((space) =>
    (['f16x2', 'bf16x2'] as const).map((type) => atomic('add.noftz', type, space)),
  ),
  ...Object.entries(TOGETHER).flatMap(([name, instruction]) =>
    (['all', 'some'] as const).map((mask) => together(name, instruction, mask)),
  ),
  ...(['and.pred', 'or.pred', 'popc.u32'] as const).map(barrierReduction),
  carries(32),
  carries(64),
  ...bulkKernels,
];
