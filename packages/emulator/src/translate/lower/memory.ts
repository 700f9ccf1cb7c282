import type { Instruction, Operand, StateSpace } from '../../ptx/ast.js';
import { destination, kindOf, type Lowering, source, typesOf } from './helpers.js';
import { orderBits } from './memory-order.js';
import { type AccessOp, type AtomicOp, type Destination, type Op, type Source, typeBytes } from './spec.js';

/** Hints about caching and visibility. The emulated memory is coherent and has no caches, so they change nothing. */
const HINTS =
  /^(nc|ca|cg|cs|lu|cv|wb|wt|weak|relaxed|acquire|release|acq_rel|volatile|gpu|sys|cta|cluster|mmio|L1::.*|L2::(64B|128B|256B|evict_.*|cache_hint)|v2|v4|noftz)$/;

const SPACES: Readonly<Record<string, StateSpace>> = {
  global: 'global',
  shared: 'shared',
  'shared::cta': 'shared',
  // Clusters have one block here, so that their shared memory is its own.
  'shared::cluster': 'shared',
  local: 'local',
  const: 'const',
  param: 'param',
  'param::entry': 'param',
};

function spaceOf(instruction: Instruction): StateSpace | 'generic' {
  const word = instruction.modifiers.find((modifier) => modifier in SPACES);
  return word === undefined ? 'generic' : SPACES[word]!;
}

/** The operands but the cache policy that `.L2::cache_hint` ends them with. */
const withoutPolicy = ({ modifiers, operands }: Instruction): readonly Operand[] =>
  modifiers.includes('L2::cache_hint') ? operands.slice(0, -1) : operands;

const hinted = (instruction: Instruction, ...more: string[]) => {
  const types = new Set<string>(typesOf(instruction));
  return instruction.modifiers.every(
    (word) => word in SPACES || HINTS.test(word) || types.has(word) || more.includes(word),
  );
};

const listOf = (operand: Operand | undefined): readonly Operand[] =>
  operand === undefined ? [] : operand.kind === 'vector' ? operand.elements : [operand];

const vectorOf = ({ modifiers }: Instruction): number =>
  modifiers.includes('v4') ? 4 : modifiers.includes('v2') ? 2 : 1;

function isVolatile(instruction: Instruction): boolean {
  return instruction.modifiers.some((word) =>
    ['volatile', 'acquire', 'relaxed', 'mmio', 'cv'].includes(word),
  );
}

function access(instruction: Instruction, kind: 'load' | 'store'): readonly Op[] | undefined {
  const [type, ...more] = typesOf(instruction);
  const load = kind === 'load';
  const operands = withoutPolicy(instruction);
  const address = operands[load ? 1 : 0];
  const data = listOf(operands[load ? 0 : 1]);
  if (type === undefined || more.length > 0 || address?.kind !== 'address' || !hinted(instruction))
    return undefined;
  if (kindOf(type) === undefined || type === 'pred' || operands.length !== 2) return undefined;
  if (data.length !== vectorOf(instruction)) return undefined;
  const elements: (Destination | undefined)[] = [];
  const values: Source[] = [];
  for (const operand of data) {
    if (!load) {
      values.push(source(operand, kindOf(type)));
      continue;
    }
    const dst = destination(operand, kindOf(type));
    if (dst === undefined && operand.kind !== 'sink') return undefined;
    elements.push(dst);
  }
  const op: AccessOp = {
    kind,
    space: spaceOf(instruction),
    type,
    bytes: typeBytes(type),
    address,
    elements,
    values,
    volatile: isVolatile(instruction),
    ordered: instruction.modifiers.some((word) => word === 'acquire' || word === 'release'),
    order: orderBits(instruction, false),
  };
  return [op];
}

const OPERATIONS = new Set(['add', 'min', 'max', 'and', 'or', 'xor', 'exch', 'cas', 'inc', 'dec']);

function atomic(instruction: Instruction, returns: boolean): readonly Op[] | undefined {
  const [type, ...more] = typesOf(instruction);
  const operation = instruction.modifiers.find((word) => OPERATIONS.has(word)) as
    | AtomicOp['operation']
    | undefined;
  const operands = withoutPolicy(instruction);
  const [first, ...rest] = returns ? operands.slice(1) : operands;
  if (type === undefined || more.length > 0 || operation === undefined || first?.kind !== 'address')
    return undefined;
  if (!hinted(instruction, operation)) return undefined;
  const float = /^b?f/.test(type);
  const short = type === 'b16' && operation === 'cas';
  if (!/^[bus](32|64)$/.test(type) && !float && !short) return undefined;
  if (rest.length !== (operation === 'cas' ? 2 : 1) || (float && operation !== 'add')) return undefined;
  const count = vectorOf(instruction);
  // Vectors are of floats in global memory, and only added.
  if (count > 1 && (type !== 'f32' || spaceOf(instruction) === 'shared')) return undefined;
  const values = rest.flatMap(listOf);
  const targets = returns
    ? listOf(instruction.operands[0])
    : new Array<Operand>(count).fill({ kind: 'sink' });
  if (targets.length !== count || values.length !== (operation === 'cas' ? 2 : count)) return undefined;
  const elements = targets.map((target) => destination(target, kindOf(type)));
  if (targets.some((target, i) => elements[i] === undefined && target.kind !== 'sink')) return undefined;
  const op: AtomicOp = {
    kind: 'atomic',
    space: spaceOf(instruction),
    type,
    bytes: typeBytes(type),
    address: first,
    operation,
    elements,
    values: values.map((operand) => source(operand, kindOf(type))),
    order: orderBits(instruction, true),
  };
  return [op];
}

const ld: Lowering = (instruction) => access(instruction, 'load');
const st: Lowering = (instruction) => access(instruction, 'store');

export const memory: Readonly<Record<string, Lowering>> = {
  ld,
  ldu: ld,
  st,
  atom: (instruction) => atomic(instruction, true),
  red: (instruction) => atomic(instruction, false),
};
