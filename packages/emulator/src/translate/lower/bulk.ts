import type { Instruction, Operand } from '../../ptx/ast.js';
import { hostCall } from './host.js';
import type { Op } from './spec.js';

const SHARED = ['shared::cta', 'shared::cluster'];
const LOADS = 'mbarrier::complete_tx::bytes';
const STORES = 'bulk_group';

/** The words behind `cp.async.bulk`, and the operands without the cache policy that a hint asks for. */
function parts({ modifiers, operands }: Instruction): [readonly string[], readonly Operand[]] {
  const words = modifiers.slice(2);
  const hinted = words.includes('L2::cache_hint');
  const plain = words.filter((word) => word !== 'L2::cache_hint' && word !== 'tile');
  return [plain, hinted ? operands.slice(0, -1) : operands];
}

const address = (operand: Operand | undefined) => (operand?.kind === 'address' ? operand : undefined);

function plainBulk(words: readonly string[], operands: readonly Operand[]): readonly Op[] | undefined {
  const [to, from, how, ...more] = words;
  const [first, second, bytes, barrier] = operands;
  if (to === 'prefetch') {
    const prefetches = from === 'L2' && how === 'global' && more.length === 0 && operands.length === 2;
    return prefetches ? hostCall('bulk_prefetch', [first!, second!]) : undefined;
  }
  if (more.length > 0 || address(first) === undefined || address(second) === undefined || bytes === undefined)
    return undefined;
  if (SHARED.includes(to ?? '') && from === 'global' && how === LOADS && operands.length === 4)
    return hostCall('bulk_load', [first!, second!, bytes, barrier!]);
  if (to === 'global' && from === 'shared::cta' && how === STORES && operands.length === 3)
    return hostCall('bulk_store', [first!, second!, bytes]);
  return undefined;
}

/** A tensor map, and where in it: `[map, {c0, c1}]`. */
function placed(
  operand: Operand | undefined,
  dimensions: number,
): readonly [Operand, number, Operand | number, Operand | number] | undefined {
  const map = address(operand);
  const [coordinates, ...more] = map?.extra ?? [];
  if (map === undefined || coordinates?.kind !== 'vector' || more.length > 0) return undefined;
  const { elements } = coordinates;
  if (elements.length !== dimensions) return undefined;
  return [map, dimensions, elements[0]!, elements[1] ?? 0];
}

function tensorBulk(words: readonly string[], operands: readonly Operand[]): readonly Op[] | undefined {
  const [dimensions, to, from, how, ...more] = words;
  const count = dimensions === '1d' ? 1 : dimensions === '2d' ? 2 : undefined;
  if (count === undefined || more.length > 0) return undefined;
  const [first, second, third] = operands;
  if (SHARED.includes(to ?? '') && from === 'global' && how === LOADS && operands.length === 3) {
    const where = placed(second, count);
    if (where === undefined || address(first) === undefined || address(third) === undefined) return undefined;
    const [map, ...rest] = where;
    return hostCall('tensor_load', [first!, map, ...rest, third!]);
  }
  if (to === 'global' && from === 'shared::cta' && how === STORES && operands.length === 2) {
    const where = placed(first, count);
    if (where === undefined || address(second) === undefined) return undefined;
    const [map, ...rest] = where;
    return hostCall('tensor_store', [map, second!, ...rest]);
  }
  return undefined;
}

/**
 * `cp.async.bulk`: to shared memory, with an mbarrier that counts the bytes; to global memory, in groups of the thread;
 * plain, or tiles of one or two dimensions by a tensor map.
 */
export function bulk(instruction: Instruction): readonly Op[] | undefined {
  const [words, operands] = parts(instruction);
  const [what, ...more] = words;
  if (what === 'commit_group') return operands.length === 0 ? hostCall('bulk_commit', []) : undefined;
  if (what === 'wait_group') {
    const [pending, ...others] = operands;
    const known = more.every((word) => word === 'read') && pending?.kind === 'int' && others.length === 0;
    return known ? hostCall('bulk_wait', [pending]) : undefined;
  }
  if (what === 'tensor') return tensorBulk(more, operands);
  if (what === 'prefetch' && more[0] === 'tensor') {
    const where = placed(operands[0], more[1] === '1d' ? 1 : 2);
    if (where === undefined || more[2] !== 'L2' || more[3] !== 'global' || operands.length !== 1)
      return undefined;
    return hostCall('tensor_prefetch', where);
  }
  return plainBulk(words, operands);
}

/** `cp.async.mbarrier.arrive[.noinc][.shared].b64 [mbarrier]`. */
export function copiesArrive({ modifiers, operands }: Instruction): readonly Op[] | undefined {
  const words = modifiers.slice(3);
  const known = words.every((word) => /^(noinc|shared|shared::cta|b64)$/.test(word));
  if (modifiers[2] !== 'arrive' || !known || operands.length !== 1 || address(operands[0]) === undefined)
    return undefined;
  const call = hostCall('mbarrier_copies', [operands[0]!, words.includes('noinc') ? 1 : 0]);
  return call === undefined ? undefined : [{ kind: 'wait', pending: undefined, shows: true }, ...call];
}
