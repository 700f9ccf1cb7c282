import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Instruction } from './ast.js';
import { parsePtx } from './parse.js';
import { CARRY, registerUse } from './registers.js';

const instructionsOf = (text: string, name: string) =>
  parsePtx(text)
    .functions.get(name)!
    .body.filter((s): s is Instruction => s.kind === 'instruction');
const use = (statement: string) => {
  const text = `.version 9.0\n.target sm_80\n.entry k()\n{\n.reg .pred p, q, t;\n.reg .b32 a, b, c, d, e;\n${statement}\n}`;
  const { reads, writes } = registerUse(instructionsOf(text, 'k')[0]!);
  return `${[...writes].sort().join(' ')} <- ${[...reads].sort().join(' ')}`.trim();
};

describe('registerUse', () => {
  it.each([
    ['add.u32 a, b, c;', 'a <- b c'],
    ['mov.u32 a, %tid.x;', 'a <-'],
    ['mad.lo.u32 a, a, b, 3;', 'a <- a b'],
    ['ld.global.v4.f32 {a, b, _, c}, [d+4];', 'a b c <- d'],
    ['st.shared.v2.f32 [a], {b, c};', '<- a b c'],
    ['st.global.f32 [4096], a;', '<- a'],
    ['mov.b64 {a, b}, c;', 'a b <- c'],
    ['setp.lt.u32 p, a, b;', 'p <- a b'],
    ['setp.lt.u32 p|q, a, b;', 'p q <- a b'],
    ['setp.lt.and.u32 p, a, b, q;', 'p <- a b q'],
    ['setp.lt.and.u32 p|q, a, b, !t;', 'p q <- a b t'],
    ['selp.b32 a, b, c, p;', 'a <- b c p'],
    ['shfl.sync.bfly.b32 a, b, 1, 31, c;', 'a <- b c'],
    ['shfl.sync.bfly.b32 a|p, b, c, d, e;', 'a p <- b c d e'],
    ['elect.sync _|p, a;', 'p <- a'],
    ['vote.sync.ballot.b32 a, p, b;', 'a <- b p'],
    ['bar.sync a, b;', '<- a b'],
    ['barrier.sync.aligned a;', '<- a'],
    ['bar.red.popc.u32 a, 0, b, !p;', 'a <- b p'],
    ['bar.warp.sync a;', '<- a'],
    ['red.global.add.f32 [a], b;', '<- a b'],
    ['atom.global.cas.b32 a, [b], c, d;', 'a <- b c d'],
    ['cp.async.ca.shared.global [a], [b], 4, c;', '<- a b c'],
    ['cp.async.wait_group 0;', '<-'],
    ['cp.async.bulk.tensor.2d.shared::cluster.global [a], [b, {c, d}], [e];', '<- a b c d e'],
    ['prefetch.global.L2 [a];', '<- a'],
    ['nanosleep.u32 a;', '<- a'],
    ['mbarrier.init.shared.b64 [a], b;', '<- a b'],
    ['mbarrier.arrive.shared.b64 a, [b];', 'a <- b'],
    ['mbarrier.arrive.shared.b64 _, [b], c;', '<- b c'],
    ['mbarrier.try_wait.parity.shared.b64 p, [a], b;', 'p <- a b'],
    ['wgmma.mma_async.sync.aligned.m64n8k8 {a, b}, c, d, p, 1, 1;', 'a b <- a b c d p'],
    ['wgmma.wait_group.sync.aligned 0;', '<-'],
    ['add.cc.u32 a, b, c;', `${CARRY} a <- b c`],
    ['addc.cc.u32 a, b, c;', `${CARRY} a <- ${CARRY} b c`],
    ['madc.hi.u32 a, b, c, d;', `a <- ${CARRY} b c d`],
    ['call (a), 1, (b, c);', 'a <- b c'],
    ['@p add.u32 a, b, c;', 'a <- a b c p'],
    ['@!p st.global.f32 [a], b;', '<- a b p'],
    ['@p ret;', '<- p'],
    ['trap;', '<-'],
  ])('%s', (statement, expected) => {
    expect(use(statement)).toBe(expected);
  });

  it('lets real kernels read only what was written before or is a parameter', () => {
    for (const name of ['reduce.nvcc', 'reduce.clang']) {
      const text = readFileSync(new URL(`./fixtures/${name}.ptx`, import.meta.url), 'utf8');
      const uses = instructionsOf(text, 'reduce').map(registerUse);
      const written = new Set(uses.flatMap(({ writes }) => writes));
      const neverWritten = uses.flatMap(({ reads }) => reads).filter((r) => !written.has(r));
      expect(neverWritten).toEqual([]);
    }
  });
});
