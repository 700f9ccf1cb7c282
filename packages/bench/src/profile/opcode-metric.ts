/** Executed instructions of a launch, one for each warp, with their opcodes as its parts. */
export const OPCODES = 'sass__inst_executed_per_opcode';
