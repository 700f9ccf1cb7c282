import { ASSERT } from './assertion.js';
import type { Instruction, Label, Operand, PtxFunction, PtxType, PtxVariable } from './ast.js';
import { bytesOfType, isPtxType } from './types.js';

/** A piece of a parameter that instructions store and load as one. */
interface Piece {
  readonly offset: number;
  readonly bytes: number;
}

interface ParamAccess {
  readonly variable: string;
  readonly pieces: readonly Piece[];
  readonly data: readonly Operand[];
  readonly type: PtxType;
  readonly stores: boolean;
}

/** A load or store of a variable that passes parameters. */
function accessOf(instruction: Instruction, variables: ReadonlySet<string>): ParamAccess | undefined {
  const { op, operands, modifiers } = instruction;
  const stores = op === 'st';
  const address = operands[stores ? 0 : 1];
  const value = operands[stores ? 1 : 0];
  if ((op !== 'ld' && !stores) || address?.kind !== 'address' || address.base?.kind !== 'symbol')
    return undefined;
  const type = modifiers.at(-1);
  if (!variables.has(address.base.name) || value === undefined || type === undefined || !isPtxType(type))
    return undefined;
  const data = value.kind === 'vector' ? value.elements : [value];
  const bytes = bytesOfType(type);
  const pieces = data.map((_, i) => ({ offset: address.offset + i * bytes, bytes }));
  return { variable: address.base.name, pieces, data, type, stores };
}

/** Variables whose pieces never overlap, and whose address nobody takes. */
function separable(fn: PtxFunction, variables: ReadonlySet<string>): Set<string> {
  const pieces = new Map<string, Map<number, number>>();
  const known = new Set(variables);
  const note = (variable: string, { offset, bytes }: Piece): void => {
    const own = pieces.get(variable) ?? new Map<number, number>();
    pieces.set(variable, own);
    if (bytes > 8) known.delete(variable);
    for (const [at, size] of own) {
      if (at === offset && size === bytes) return;
      if (at < offset + bytes && offset < at + size) known.delete(variable);
    }
    own.set(offset, bytes);
  };
  for (const statement of fn.body) {
    if (statement.kind === 'label') continue;
    const access = accessOf(statement, variables);
    if (access !== undefined) for (const piece of access.pieces) note(access.variable, piece);
    else if (statement.op !== ASSERT) for (const name of symbolsOf(statement.operands)) known.delete(name);
  }
  return known;
}

function symbolsOf(operands: readonly Operand[]): string[] {
  return operands.flatMap((operand) => {
    if (operand.kind === 'symbol') return [operand.name];
    if (operand.kind === 'address') return operand.base === undefined ? [] : [operand.base.name];
    return operand.kind === 'vector' ? symbolsOf(operand.elements) : [];
  });
}

const register = (variable: string, offset: number): string => `%param:${variable}+${offset}`;

/** A piece to or from its register: a `mov`, or a conversion where the sizes differ or are narrow. */
function moved(
  instruction: Instruction,
  { type, stores }: ParamAccess,
  piece: Operand,
  operand: Operand,
  declared: ReadonlyMap<string, PtxType>,
): Instruction {
  const bytes = bytesOfType(type);
  const [to, from] = stores ? [piece, operand] : [operand, piece];
  const held = operand.kind === 'reg' ? bytesOfType(declared.get(operand.name) ?? type) : bytes;
  const sign = type.startsWith('s') ? 's' : 'u';
  const { line, text, source, guard } = instruction;
  const place = {
    kind: 'instruction' as const,
    line,
    text,
    ...(source && { source }),
    ...(guard && { guard }),
  };
  const narrow = bytes < 4;
  if (!narrow && held === bytes)
    return { ...place, op: 'mov', modifiers: [`b${8 * bytes}`], operands: [to, from] };
  const wide = 8 * Math.max(2, stores ? (narrow ? 2 : bytes) : held);
  const cut = stores && !narrow ? 8 * held : 8 * bytes;
  return { ...place, op: 'cvt', modifiers: [`${sign}${wide}`, `${sign}${cut}`], operands: [to, from] };
}

/**
 * Turns what inlined calls pass through `.param` variables into registers; into local memory, where pieces overlap or
 * an address is taken.
 */
export function lowerCallParameters(fn: PtxFunction): PtxFunction {
  const all = fn.variables.filter(({ space }) => space === 'param');
  if (all.length === 0) return fn;
  const names = new Set(all.map(({ name }) => name));
  const inRegisters = separable(fn, names);
  const registers = new Map(fn.registers);
  const body = fn.body.flatMap((statement): (Instruction | Label)[] => {
    if (statement.kind === 'label') return [statement];
    if (statement.op === ASSERT) {
      const operands = statement.operands.map((operand): Operand => {
        if (operand.kind !== 'address' || operand.base === undefined) return operand;
        return { kind: 'reg', name: register(operand.base.name, 0) };
      });
      return [{ ...statement, operands }];
    }
    const access = accessOf(statement, names);
    if (access === undefined || !inRegisters.has(access.variable)) return [inLocalMemory(statement, names)];
    return access.data.flatMap((operand, i) => {
      const { offset, bytes } = access.pieces[i]!;
      const name = register(access.variable, offset);
      registers.set(name, bytes < 4 ? 'b16' : bytes === 4 ? 'b32' : 'b64');
      return operand.kind === 'sink'
        ? []
        : [moved(statement, access, { kind: 'reg', name }, operand, fn.registers)];
    });
  });
  const variables = fn.variables.flatMap((variable): PtxVariable[] => {
    if (variable.space !== 'param') return [variable];
    return inRegisters.has(variable.name) ? [] : [{ ...variable, space: 'local' }];
  });
  return { ...fn, body, registers, variables };
}

/** The same access of a variable that lies in local memory. */
function inLocalMemory(instruction: Instruction, names: ReadonlySet<string>): Instruction {
  if (!symbolsOf(instruction.operands).some((name) => names.has(name))) return instruction;
  const modifiers = instruction.modifiers.map((word) => (word.startsWith('param') ? 'local' : word));
  return { ...instruction, modifiers };
}
