import { describe, expect, it } from 'vitest';
import { parsePtx } from '../../ptx/parse.js';
import { modelKernel } from '../kernel-model.js';
import type { Translation } from './context.js';
import { type HotFunction, handsOver, hotFunctions } from './regions.js';

/** A kernel of these lines, as far as dividing it needs one. */
function divided(body: string): { functions: HotFunction[]; t: Translation } {
  const text = `.version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n) {
.reg .pred %p<4>; .reg .b32 %r<9>;\n${body}\n}`;
  const model = modelKernel([...parsePtx(text, 'test').functions.values()][0]!, 'test');
  const t = { model, options: { counters: false, checks: true } } as unknown as Translation;
  return { functions: hotFunctions(t), t };
}

const LOOP = `ld.param.u32 %r1, [n]; mov.u32 %r2, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra END;
NEXT: add.u32 %r2, %r2, 1;
bar.sync 0;
add.u32 %r3, %r2, %r1; setp.lt.u32 %p2, %r2, %r1; @%p2 bra NEXT;
END: add.u32 %r4, %r2, 7; ret;`;

describe('functions of vector code', () => {
  it('hold each part of a loop with a barrier once, and what follows it once', () => {
    const { functions, t } = divided(LOOP);
    const times = new Map<number, number>();
    for (const { region } of functions) for (const id of region) times.set(id, (times.get(id) ?? 0) + 1);
    expect([...times.keys()].sort()).toEqual(t.model.blocks.map(({ id }) => id).sort());
    const { header, blocks } = t.model.flow.loops[0]!;
    for (const id of blocks) expect(times.get(id), `block ${id}`).toBe(1);
    // The end is where the loop leads, and whoever has nothing to do.
    const end = t.model.blocks.find(({ terminator }) => terminator.kind === 'exit')!.id;
    expect(functions.filter(({ starts }) => starts.includes(end)).length).toBe(1);
    expect(functions.filter(({ starts }) => starts.includes(header)).length).toBe(1);
  });

  it('hand over into and out of such a loop, and not from turn to turn', () => {
    const { t } = divided(LOOP);
    const { header, blocks } = t.model.flow.loops[0]!;
    const inside = new Set(blocks);
    for (const { id, successors } of t.model.blocks) {
      for (const next of successors) {
        const enters = !inside.has(id) && next === header;
        const leaves = inside.has(id) && !inside.has(next);
        expect(handsOver(t, id, next), `${id} to ${next}`).toBe(enters || leaves);
      }
    }
  });

  it('are one where nothing is waited for', () => {
    const { functions } = divided(LOOP.replace('bar.sync 0;', ''));
    expect(functions.map(({ starts }) => starts)).toEqual([[0]]);
  });

  it('begin with a start of their own', () => {
    for (const { starts, region } of divided(LOOP).functions)
      for (const start of starts) expect(region).toContain(start);
  });
});
