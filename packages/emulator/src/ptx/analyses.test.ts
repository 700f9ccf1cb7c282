import { describe, expect, it } from 'vitest';
import { type BasicBlock, buildCfg, type ControlFlowGraph } from './cfg.js';
import { analyzeFlow } from './flow.js';
import { analyzeLiveness, usesOfBlock } from './liveness.js';
import { parsePtx } from './parse.js';

/** Mulberry32: numbers in [0, n). */
function randomIntegers(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** A function of random blocks with random branches, exits, switches and guarded moves. */
function randomCfg(seed: number): ControlFlowGraph {
  const below = randomIntegers(seed);
  const count = 2 + below(14);
  const label = () => `B${below(count)}`;
  const register = () => `r${below(6)}`;
  const guard = () => ['', '', `@p${below(3)} `, `@!p${below(3)} `][below(4)]!;
  const statement = () =>
    [
      () => `${guard()}add.u32 ${register()}, ${register()}, ${register()};`,
      () => `setp.lt.u32 p${below(3)}, ${register()}, 7;`,
      () => `st.global.u32 [${register()}], ${register()};`,
    ][below(3)]!();
  const ending = (id: number) =>
    [
      () => '',
      () => `bra ${label()};`,
      () => `@p${below(3)} bra ${label()};`,
      () => `@!p${below(3)} bra ${label()};`,
      () => 'ret;',
      () => `@p${below(3)} exit;`,
      () => `T${id}: .branchtargets ${label()}, ${label()}, ${label()};\nbrx.idx ${register()}, T${id};`,
    ][below(7)]!();
  const blocks = Array.from({ length: count }, (_, id) =>
    [`B${id}:`, ...Array.from({ length: below(4) }, statement), ending(id)].join('\n'),
  );
  const declarations = '.reg .pred p<3>;\n.reg .b32 r<6>;';
  const text = `.version 9.0\n.target sm_80\n.entry k()\n{\n${declarations}\n${blocks.join('\n')}\n}`;
  return buildCfg(parsePtx(text).functions.get('k')!);
}

const seeds = Array.from({ length: 300 }, (_, i) => i + 1);

/** Blocks that some path from `from` meets, `from` included, `without` left out. */
function reach(next: (id: number) => readonly number[], from: number, without = -1): Set<number> {
  const reached = new Set(from === without ? [] : [from]);
  for (const id of reached) for (const to of next(id)) if (to !== without) reached.add(to);
  return reached;
}

/** All above a node in a tree given by parents, the node included. */
function chain(parents: Int32Array, node: number, stop: number): number[] {
  const nodes = [];
  for (let at = node; at !== -1 && at !== stop; at = parents[at]!) nodes.push(at);
  return nodes.sort((a, b) => a - b);
}

describe('analyzeFlow on random graphs, against the definitions', () => {
  it('finds dominators: a block on every path from the entry', () => {
    for (const seed of seeds) {
      const { blocks } = randomCfg(seed);
      const { immediateDominator } = analyzeFlow({ blocks });
      const next = (id: number) => blocks[id]!.successors;
      for (const { id } of blocks) {
        const expected = blocks.filter((d) => d.id === id || !reach(next, 0, d.id).has(id)).map((d) => d.id);
        expect(chain(immediateDominator, id, -1), `seed ${seed}, block ${id}`).toEqual(expected);
      }
    }
  });

  it('finds post-dominators: a block on every path to an exit', () => {
    let endless = 0;
    for (const seed of seeds) {
      const { blocks } = randomCfg(seed);
      const { immediatePostDominator, virtualExit } = analyzeFlow({ blocks });
      const next = (id: number) => blocks[id]!.successors;
      const ends = (ids: Set<number>) => [...ids].some((id) => next(id).length === 0);
      for (const { id } of blocks) {
        if (!ends(reach(next, id))) {
          endless++;
          expect(immediatePostDominator[id]).toBe(-1);
          continue;
        }
        const expected = blocks.filter((d) => d.id === id || !ends(reach(next, id, d.id))).map((d) => d.id);
        expect(chain(immediatePostDominator, id, virtualExit), `seed ${seed}, block ${id}`).toEqual(expected);
      }
    }
    expect(endless).toBeGreaterThan(0);
  });

  it('orders blocks so that only back edges and irreducible edges go back', () => {
    let irreducible = 0;
    for (const seed of seeds) {
      const { blocks } = randomCfg(seed);
      const { reversePostorder: order, backEdges, irreducibleEdges } = analyzeFlow({ blocks });
      expect([...order].sort((a, b) => a - b)).toEqual(blocks.map(({ id }) => id));
      const back = blocks.flatMap(({ id: from, successors }) =>
        successors.filter((to) => order.indexOf(to) <= order.indexOf(from)).map((to) => ({ from, to })),
      );
      const next = (id: number) => blocks[id]!.successors;
      const natural = back.filter(({ from, to }) => from === to || !reach(next, 0, to).has(from));
      expect(backEdges).toEqual(natural);
      expect(irreducibleEdges).toEqual(back.filter((edge) => !natural.includes(edge)));
      irreducible += irreducibleEdges.length;
    }
    expect(irreducible).toBeGreaterThan(0);
  });

  it('finds the blocks of natural loops: those that reach a latch without passing the header', () => {
    let nested = 0;
    for (const seed of seeds) {
      const { blocks } = randomCfg(seed);
      const { loops, backEdges } = analyzeFlow({ blocks });
      const next = (id: number) => blocks[id]!.successors;
      expect(loops.map(({ header }) => header)).toEqual(
        [...new Set(backEdges.map(({ to }) => to))].sort((a, b) => a - b),
      );
      for (const { header, latches, blocks: body } of loops) {
        const inside = ({ id }: BasicBlock) =>
          id === header || latches.some((latch) => reach(next, id, header).has(latch));
        expect(body).toEqual(blocks.filter(inside).map(({ id }) => id));
        if (loops.some((other) => other.header !== header && body.includes(other.header))) nested++;
      }
    }
    expect(nested).toBeGreaterThan(0);
  });
});

describe('analyzeLiveness', () => {
  /** Live: some path from here reads the register before any write, found by walking every path. */
  const isLive = (cfg: ControlFlowGraph, block: number, register: string): boolean => {
    const seen = new Set([block]);
    for (const id of seen) {
      const uses = usesOfBlock(cfg.blocks[id]!);
      const first = uses.find(({ reads, writes }) => reads.includes(register) || writes.includes(register));
      if (first?.reads.includes(register)) return true;
      if (first === undefined) for (const to of cfg.blocks[id]!.successors) seen.add(to);
    }
    return false;
  };

  it('agrees with a walk over all paths of random graphs', () => {
    for (const seed of seeds) {
      const cfg = randomCfg(seed);
      const liveness = analyzeLiveness(cfg);
      for (const { id, successors } of cfg.blocks) {
        const live = liveness.registers.filter((register) => isLive(cfg, id, register));
        expect(liveness.liveIn(id), `seed ${seed}, into block ${id}`).toEqual(live);
        const after = liveness.registers.filter((r) => successors.some((to) => isLive(cfg, to, r)));
        expect(liveness.liveOut(id), `seed ${seed}, out of block ${id}`).toEqual(after);
      }
    }
  });

  it('copes with thousands of registers over hundreds of blocks', () => {
    const blocks = Array.from({ length: 500 }, (_, b) => {
      const moves = Array.from(
        { length: 10 },
        (_, i) => `add.u32 r${b * 10 + i}, r${(b * 37 + i * 501) % 5000}, 1;`,
      );
      return `B${b}:\n${moves.join('\n')}\n@p bra B${(b * 7) % 500};`;
    });
    const text = `.version 9.0\n.target sm_80\n.entry k()\n{\n.reg .pred p;\n.reg .b32 r<5000>;\n${blocks.join('\n')}\n}`;
    const cfg = buildCfg(parsePtx(text).functions.get('k')!);
    const liveness = analyzeLiveness(cfg);
    expect(liveness.registers.length).toBe(5001);
    for (const register of ['p', 'r0', 'r501', 'r4999']) {
      expect(liveness.liveIn(250).includes(register)).toBe(isLive(cfg, 250, register));
    }
  });
});
