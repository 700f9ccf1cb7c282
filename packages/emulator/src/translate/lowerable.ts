import { CompileError, TENSOR_MAP_BYTES } from '@ffma/core';
import type { Instruction, Operand, PtxFunction } from '../ptx/ast.js';
import { placeSuffix } from '../ptx/kernel-place.js';
import type { Symbols } from './emit/operands.js';
import type { KernelModel, ModelInstruction } from './kernel-model.js';
import { isApproximate } from './lower/approximate.js';
import { SPECIAL_REGISTERS } from './special-shape.js';

/** Special registers that have a value here. */
const KNOWN = new Set<string>(SPECIAL_REGISTERS);

/** Parameters whose address may be taken: it is only given to copies of tiles. */
const tensorMaps = ({ params }: PtxFunction): Set<string> =>
  new Set(params.filter(({ byteLength }) => byteLength === TENSOR_MAP_BYTES).map(({ name }) => name));

/** Why an operand cannot be had; undefined if it can. */
function refusedOperand(operand: Operand, symbols: Symbols, maps: ReadonlySet<string>): string | undefined {
  if (operand.kind === 'special' && !KNOWN.has(operand.name)) {
    return `the emulator does not know the special register '%${operand.name}'`;
  }
  if (operand.kind !== 'symbol') return undefined;
  const { name } = operand;
  if ([symbols.shared, symbols.local, symbols.module, maps].some((names) => names.has(name)))
    return undefined;
  return symbols.params.has(name)
    ? `the address of the parameter '${name}' is taken, which the emulator supports for tensor maps only`
    : `'${name}' is no variable that the emulator can address`;
}

/** Parameters have names, not addresses, and are read only. */
function refusedParameter({ ops }: ModelInstruction, symbols: Symbols): string | undefined {
  for (const op of ops) {
    if ((op.kind !== 'load' && op.kind !== 'store') || op.space !== 'param') continue;
    const { base } = op.address;
    const known = base?.kind === 'symbol' && symbols.params.has(base.name);
    if (op.kind === 'store' || !known) return 'a parameter must be read, and by its name';
  }
  return undefined;
}

/** Refuses, with its line, what passes lowering but cannot be translated. @throws CompileError */
export function lowerable(model: KernelModel, symbols: Symbols, moduleName: string): void {
  const refuse = (instruction: Instruction, why: string, remedy?: string): never => {
    const { line, text, source } = instruction;
    throw new CompileError(
      `${moduleName}, kernel ${model.fn.name}, PTX line ${line}${placeSuffix(source)}: ${why} (${text}).`,
      { details: { line, text }, ...(remedy === undefined ? {} : { remedy }) },
    );
  };
  const maps = tensorMaps(model.fn);
  for (const block of model.blocks) {
    for (const modelled of block.instructions) {
      const { instruction } = modelled;
      for (const operand of instruction.operands) {
        const why = refusedOperand(operand, symbols, maps);
        if (why !== undefined) refuse(instruction, why);
      }
      const why = refusedParameter(modelled, symbols);
      if (why !== undefined) refuse(instruction, why);
    }
  }
}

/** Refuses instructions whose results are only near a GPU's, unless the device was told to take them. @throws CompileError */
export function refuseApproximations(model: KernelModel, moduleName: string): void {
  for (const { instructions } of model.blocks) {
    for (const { instruction } of instructions) {
      if (!isApproximate(instruction)) continue;
      const { line, text, source } = instruction;
      throw new CompileError(
        `${moduleName}, kernel ${model.fn.name}, PTX line ${line}${placeSuffix(source)}: a GPU computes this by tables of its own, and the emulator gives a result that is near, not the same bits (${text}).`,
        {
          details: { line, text },
          remedy: 'Open the device with { approximations: true } if near is enough.',
        },
      );
    }
  }
}
