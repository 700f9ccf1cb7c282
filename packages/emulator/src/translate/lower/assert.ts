import { ASSERT } from '../../ptx/assertion.js';
import { type Lowering, source } from './helpers.js';

/** What stands for `__assertfail`. */
const fail: Lowering = ({ operands }) => {
  if (operands.length !== 4) return undefined;
  const [text, file, line, name] = operands;
  const address = (operand: typeof text) => source(operand!, 'i64');
  return [{ kind: 'assert', values: [address(text), address(file), source(line!, 'i32'), address(name)] }];
};

export const assert: Readonly<Record<string, Lowering>> = { [ASSERT]: fail };
