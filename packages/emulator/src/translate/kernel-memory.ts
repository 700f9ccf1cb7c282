import { CompileError } from '@ffma/core';
import type { Operand, PtxFunction, PtxModule, PtxVariable } from '../ptx/ast.js';
import type { Symbols } from './emit/operands.js';

/** Memory that a kernel declares, laid out. */
export interface KernelMemory extends Symbols {
  /** Static shared memory, in bytes; dynamic shared memory follows it. */
  readonly sharedBytes: number;
  /** Local memory of a thread, in bytes; a multiple of 16. */
  readonly localBytes: number;
  /** Parameters, then an 8-byte address for each module-scope variable, in bytes. */
  readonly paramBytes: number;
  /** Module-scope variables in global or constant memory, in the order of their addresses. */
  readonly moduleVariables: readonly PtxVariable[];
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

function place(variables: readonly PtxVariable[], into: Map<string, number>, start = 0): number {
  let next = start;
  for (const variable of variables) {
    next = roundUp(next, variable.align);
    into.set(variable.name, next);
    next += variable.byteLength;
  }
  return next;
}

/** Variables and parameters that a function's instructions name. */
function namesIn(fn: PtxFunction): Set<string> {
  const names = new Set<string>();
  const visit = (operand: Operand): void => {
    if (operand.kind === 'symbol') names.add(operand.name);
    if (operand.kind === 'address' && operand.base?.kind === 'symbol') names.add(operand.base.name);
    if (operand.kind === 'vector') operand.elements.forEach(visit);
  };
  for (const statement of fn.body) if (statement.kind === 'instruction') statement.operands.forEach(visit);
  return names;
}

/** Lays out shared, local, parameter and module-scope memory. @throws CompileError for extern variables of other spaces */
export function layOut(module: PtxModule, fn: PtxFunction): KernelMemory {
  const shared = new Map<string, number>();
  const local = new Map<string, number>();
  // A module's kernels each have their own shared and local memory: what one does not name is not its.
  const named = namesIn(fn);
  const all = [...module.variables.filter((v) => named.has(v.name)), ...fn.variables];
  const sharedVariables = all.filter((v) => v.space === 'shared');
  const sharedBytes = place(
    sharedVariables.filter((v) => !v.extern),
    shared,
  );
  const dynamic = sharedVariables.filter((v) => v.extern);
  const dynamicStart = roundUp(sharedBytes, Math.max(16, ...dynamic.map((v) => v.align)));
  for (const variable of dynamic) shared.set(variable.name, dynamicStart);
  const localBytes = roundUp(
    place(
      all.filter((v) => v.space === 'local'),
      local,
    ),
    16,
  );
  const moduleVariables = module.variables.filter((v) => v.space === 'global' || v.space === 'const');
  for (const variable of moduleVariables) {
    if (!variable.extern) continue;
    throw new CompileError(
      `PTX line ${variable.line}: the variable ${variable.name} is defined elsewhere (.extern).`,
      {
        remedy: 'Define it in the same module: the emulator does not link.',
      },
    );
  }
  const firstAddress = roundUp(fn.paramBytes, 8);
  return {
    shared,
    local,
    module: new Map(moduleVariables.map((variable, i) => [variable.name, firstAddress + 8 * i])),
    params: new Map(fn.params.map((param) => [param.name, param.byteOffset])),
    sharedBytes: dynamic.length > 0 ? dynamicStart : sharedBytes,
    localBytes,
    paramBytes: firstAddress + 8 * moduleVariables.length,
    moduleVariables,
  };
}
