import { describe, expect, test } from 'vitest';
import { parsePtx } from './parse.js';
import { prepareModule } from './prepare.js';

const module = (functions: string, body: string): string =>
  `.version 8.5\n.target sm_80\n.address_size 64\n${functions}\n.visible .entry k() {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;\n${body}\nret;\n}\n`;
const kernel = (functions: string, body: string) =>
  prepareModule(parsePtx(module(functions, body))).functions.get('k')!;
const names = (fn: ReturnType<typeof kernel>) =>
  fn.body.map((s) => (s.kind === 'label' ? `${s.name}:` : [s.op, ...s.modifiers].join('.')));

const HALF = `.func (.param .b32 result) half(.param .b64 from) {
.reg .b32 %r<3>; .reg .pred %p<2>;
ld.param.b32 %r1, [from+4]; st.param.b32 [result], %r1; setp.eq.s32 %p1, %r1, 0; @%p1 ret; st.param.b32 [result], 7; ret;
}`;
const CALL = `{ .param .b64 a; st.param.b64 [a], %rd1; .param .b32 r; call.uni (r), half, (a); ld.param.b32 %r1, [r]; }`;

describe('prepareModule', () => {
  test('a call is the body of what it calls; each has registers and labels of its own', () => {
    const fn = kernel(HALF, `${CALL}\n${CALL}`);
    expect(names(fn)).not.toContain('call.uni');
    expect(names(fn).filter((name) => name.endsWith(':'))).toEqual(['$return1:', '$return2:']);
    expect(fn.registers.has('%r1@1') && fn.registers.has('%r1@2')).toBe(true);
    // Each return is a branch to the end of its call, the guarded one with its guard.
    const jumps = fn.body.flatMap((s) => (s.kind === 'instruction' && s.op === 'bra' ? [s.guard?.reg] : []));
    expect(jumps).toEqual(['%p1@1', undefined, '%p1@2', undefined]);
  });

  test('parameters become registers; where pieces overlap, local memory', () => {
    const fn = kernel(HALF, CALL);
    expect(fn.variables.map(({ name, space }) => [name, space])).toEqual([['a', 'local']]);
    expect(names(fn).slice(0, 3)).toEqual(['st.local.b64', 'ld.local.b32', 'mov.b32']);
    expect(fn.registers.get('%param:r+0')).toBe('b32');
  });

  test('narrow parameters are cut to their size', () => {
    const low = `.func (.param .b32 result) low(.param .b32 x) {
.reg .b32 %r<3>; ld.param.s8 %r1, [x]; st.param.b32 [result], %r1; ret; }`;
    const call =
      '{ .param .b32 a; st.param.b8 [a], %r2; .param .b32 r; call (r), low, (a); ld.param.b32 %r1, [r]; }';
    expect(names(kernel(low, call)).slice(0, 2)).toEqual(['cvt.u16.u8', 'cvt.s32.s8']);
  });

  test('a guarded call is passed by', () => {
    const fn = kernel('.func f() { ret; }', '@%p1 call f;');
    expect(names(fn)).toEqual(['bra', 'bra', '$return1:', '$around1:', 'ret']);
    expect(fn.body[0]).toMatchObject({ guard: { reg: '%p1', negate: true } });
  });

  test.each([
    ['.func f() { call f; ret; }', 'call f;', "'f' calls itself"],
    ['.extern .func g();', 'call g;', "the function 'g' is called, and the module has no body of it"],
    ['.func f(.param .b32 x) { ret; }', 'call f;', "'f' takes 1 parameters and results, not 0"],
  ])('%s %s is refused by its line', (functions, call, why) => {
    expect(() => kernel(functions, call)).toThrow(why);
    expect(() => kernel(functions, call)).toThrow(/kernel k, PTX line \d/);
  });
});
