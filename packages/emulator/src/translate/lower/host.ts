import type { Operand } from '../../ptx/ast.js';
import { destination } from './helpers.js';
import { HOST_CALLS, type HostCall } from './host-calls.js';
import type { HostOp, Source } from './spec.js';

type Address = Extract<Operand, { kind: 'address' }>;
type Given = Operand | number;

const int = (value: number): Operand => ({ kind: 'int', value: BigInt(value) });

/** What an address starts at. */
function baseOf({ base }: Address): Operand {
  if (base === undefined) return int(0);
  return base.kind === 'reg'
    ? { kind: 'reg', name: base.name }
    : { kind: 'symbol', name: base.name, offset: 0 };
}

/** Whether an operand can be given to the host as a value. */
const isValue = ({ kind }: Operand): boolean => kind === 'reg' || kind === 'int' || kind === 'special';

/** A call of the host; undefined where an operand is none that it can be given. */
export function hostCall(
  name: HostCall,
  given: readonly Given[],
  result?: Operand,
): readonly HostOp[] | undefined {
  const { values: kinds, result: gives } = HOST_CALLS[name];
  if (given.length !== kinds.length) return undefined;
  const values: Source[] = [];
  const offsets: number[] = [];
  for (const [i, one] of given.entries()) {
    const operand = typeof one === 'number' ? int(one) : one;
    if (operand.kind !== 'address' && !isValue(operand)) return undefined;
    values.push({ operand: operand.kind === 'address' ? baseOf(operand) : operand, kind: kinds[i]! });
    offsets.push(operand.kind === 'address' ? operand.offset : 0);
  }
  const dst = gives === undefined || result === undefined ? undefined : destination(result, gives);
  if (result !== undefined && dst === undefined && result.kind !== 'sink') return undefined;
  return [{ kind: 'host', name, values, offsets, ...(dst === undefined ? {} : { dst }) }];
}
