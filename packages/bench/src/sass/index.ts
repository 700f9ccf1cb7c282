export { checkSass } from './check.js';
export { decodeSass } from './decode.js';
export { type Disassembler, disassemble, findDisassembler, noDisassembler } from './disassemble.js';
export { type SassFacts, type SassLoop, sassFacts } from './facts.js';
export type { SassFunction, SassInstruction } from './instruction.js';
export { bankModel } from './operands.js';
export { functionNamed, parseSass } from './parse.js';
