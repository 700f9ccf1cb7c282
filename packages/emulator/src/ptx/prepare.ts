import type { PtxFunction, PtxModule } from './ast.js';
import { lowerCallParameters } from './call-parameters.js';
import { expandSwitches } from './expand-switch.js';
import { inlineCalls } from './inline-calls.js';

/**
 * The module with kernels that are whole: calls inlined, their parameters in registers, jump tables as branches.
 * @throws CompileError for calls that cannot be inlined, with the line
 */
export function prepareModule(module: PtxModule, name = 'PTX'): PtxModule {
  const functions = new Map<string, PtxFunction>();
  for (const [key, fn] of module.functions) {
    if (!fn.isEntry) continue;
    const where = `${name}, kernel ${fn.name}`;
    functions.set(key, expandSwitches(lowerCallParameters(inlineCalls(module, where, fn))));
  }
  return { ...module, functions };
}
