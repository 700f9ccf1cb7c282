import type { Instruction, Operand } from '../../ptx/ast.js';
import { type Lowering, value } from './helpers.js';
import { hostCall } from './host.js';
import { ARRIVE, WAIT } from './host-calls.js';
import type { Op } from './spec.js';

/** Where it is, and what it orders: threads see it alike here, but for `relaxed`, which orders nothing. */
const PLAIN = /^(shared|shared::cta|shared::cluster|b64|release|acquire|relaxed|cta|cluster)$/;

const isAddress = (operand: Operand | undefined): operand is Operand => operand?.kind === 'address';

function arrive({ modifiers, operands }: Instruction): readonly Op[] | undefined {
  const [first, ...words] = modifiers;
  const expects = words.includes('expect_tx');
  const rest = words.filter((word) => word !== 'expect_tx' && word !== 'noComplete');
  if (!rest.every((word) => PLAIN.test(word))) return undefined;
  // Without a result there is none to name.
  const [state, address, amount] = isAddress(operands[0])
    ? [{ kind: 'sink' } as const, ...operands]
    : operands;
  if (state === undefined || !isAddress(address) || (expects && amount === undefined)) return undefined;
  const flags =
    (words.includes('noComplete') ? ARRIVE.keeps : 0) |
    (rest.includes('relaxed') ? ARRIVE.relaxed : 0) |
    (first === 'arrive_drop' ? ARRIVE.drop : 0);
  const [count, bytes] = expects ? [1, amount!] : [amount ?? 1, 0];
  return hostCall('mbarrier_arrive', [address, count, bytes, flags], state);
}

function wait({ modifiers, operands }: Instruction): readonly Op[] | undefined {
  const [, ...words] = modifiers;
  const rest = words.filter((word) => word !== 'parity');
  // `try_wait` may be told how long it may take.
  const [done, address, phase] = operands;
  if (!rest.every((word) => PLAIN.test(word)) || operands.length > (modifiers[0] === 'try_wait' ? 4 : 3))
    return undefined;
  if (done === undefined || !isAddress(address) || phase === undefined) return undefined;
  const flags = (words.includes('parity') ? WAIT.parity : 0) | (rest.includes('relaxed') ? WAIT.relaxed : 0);
  return hostCall('mbarrier_wait', [address, phase, flags], done);
}

/** `mbarrier.*`: the state is the phase from bit 20 on, and below it the arrivals that it still expected. */
const mbarrier: Lowering = (instruction) => {
  const [what, ...words] = instruction.modifiers;
  const [address, amount, ...more] = instruction.operands;
  switch (what) {
    case 'arrive':
    case 'arrive_drop':
      return arrive(instruction);
    case 'test_wait':
    case 'try_wait':
      return wait(instruction);
    case 'pending_count':
      return value(instruction, {
        result: 'i32',
        args: ['i64'],
        scalar: (m, state) => m.i32.and(m.i32.wrap(state!()), m.i32.const(0xfffff)),
      });
    default:
  }
  if (!isAddress(address) || more.length > 0 || !words.every((word) => PLAIN.test(word))) return undefined;
  if (what === 'inval') return amount === undefined ? hostCall('mbarrier_inval', [address]) : undefined;
  if (amount === undefined) return undefined;
  if (what === 'init') return hostCall('mbarrier_init', [address, amount]);
  if (what === 'expect_tx') return hostCall('mbarrier_expect', [address, amount]);
  return what === 'complete_tx' ? hostCall('mbarrier_complete', [address, amount]) : undefined;
};

export const mbarriers: Readonly<Record<string, Lowering>> = { mbarrier };
