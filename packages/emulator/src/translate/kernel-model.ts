import type { Instruction, PtxFunction, PtxType } from '../ptx/ast.js';
import { type BasicBlock, buildCfg, type ControlFlowGraph } from '../ptx/cfg.js';
import { analyzeFlow, type Flow } from '../ptx/flow.js';
import { analyzeLiveness, usesOfBlock } from '../ptx/liveness.js';
import { CARRY } from '../ptx/registers.js';
import { SEND, splitWarpInstructions } from '../ptx/split-warp.js';
import { BULK_PIECE } from './bulk-piece.js';
import { NEXT_CARRY } from './lower/carry.js';
import { lower } from './lower/index.js';
import {
  type AccessOp,
  type AtomicOp,
  type BarrierOp,
  type CopyOp,
  type HostOp,
  type Lowered,
  type Op,
  type ValueKind,
  valueKind,
} from './lower/spec.js';
import { findPolling, type Polling } from './polling.js';
import { quietLoops } from './quiet-loops.js';

/** An instruction with what it does. */
export interface ModelInstruction extends Lowered {
  readonly instruction: Instruction;
  /** Index of its memory access among the kernel's, where it has one; of a copy, that of its load. */
  readonly site: number | undefined;
}

export interface ModelBlock extends Omit<BasicBlock, 'instructions'> {
  readonly instructions: readonly ModelInstruction[];
  /** The barrier that the block ends with. */
  readonly barrier: BarrierOp | undefined;
  readonly liveIn: readonly string[];
}

/** `bulk` is what the host does that is no access: about mbarriers, or to order copies in bulk. */
export type SiteKind = 'load' | 'store' | 'atomic' | 'copy' | 'bulk';

/** One load, store or atomic of the kernel. An asynchronous copy has two: a load, and behind it what it does to shared memory. */
export interface Site {
  readonly instruction: Instruction;
  readonly space: AccessOp['space'];
  readonly kind: SiteKind;
  /** Bytes a lane. */
  readonly bytes: number;
}

/** A kernel's code, analysed; nothing here depends on the extents of a launch. */
export interface KernelModel {
  readonly fn: PtxFunction;
  readonly blocks: readonly ModelBlock[];
  readonly flow: Flow;
  readonly sites: readonly Site[];
  /** Registers whose value passes from one block to another. */
  readonly crossing: ReadonlySet<string>;
  /** Blocks that edges lead back to. */
  readonly loopEntries: ReadonlySet<number>;
  readonly polling: Polling;
  /** Headers of loops that only compute and read, with an instruction to name each by. */
  readonly quiet: ReadonlyMap<number, Instruction>;
  /** Whether the kernel copies asynchronously. */
  readonly copies: boolean;
  /** Whether it uses mbarriers or copies in bulk. */
  readonly signals: boolean;
  kindOf(register: string): ValueKind;
}

const isBarrier = ({ op }: Instruction): boolean => op === 'bar' || op === 'barrier' || op === SEND;

/** Touches memory that can be out of reach; parameters are constants of the launch. */
function isAccess(op: Op): op is AccessOp | AtomicOp | CopyOp | HostOp {
  if (op.kind === 'copy' || op.kind === 'host') return true;
  return (op.kind === 'load' || op.kind === 'store' || op.kind === 'atomic') && op.space !== 'param';
}

/** What a copy in bulk does to global memory, and to shared memory; of all else that the host does, only where. */
function hostSites(instruction: Instruction, { name }: HostOp): Site[] {
  const bytes = BULK_PIECE;
  if (name === 'bulk_store' || name === 'tensor_store')
    return [{ instruction, space: 'global', kind: 'store', bytes }];
  if (name !== 'bulk_load' && name !== 'tensor_load')
    return [{ instruction, space: 'shared', kind: 'bulk', bytes: 8 }];
  return [
    { instruction, space: 'global', kind: 'load', bytes },
    { instruction, space: 'shared', kind: 'copy', bytes },
  ];
}

function sitesOf(instruction: Instruction, op: AccessOp | AtomicOp | CopyOp | HostOp): Site[] {
  if (op.kind === 'host') return hostSites(instruction, op);
  if (op.kind === 'copy') {
    const { bytes } = op;
    return [
      { instruction, space: 'global', kind: 'load', bytes },
      { instruction, space: 'shared', kind: 'copy', bytes },
    ];
  }
  const count = op.kind === 'atomic' ? op.elements.length : Math.max(op.elements.length, op.values.length);
  return [{ instruction, space: op.space, kind: op.kind, bytes: op.bytes * count }];
}

/** Registers that some instruction of the kernel reads. */
const registersReadBy = ({ blocks }: ControlFlowGraph): Set<string> =>
  new Set(blocks.flatMap((block) => usesOfBlock(block).flatMap(({ reads }) => reads)));

/**
 * Analyses a kernel.
 * @throws CompileError for an instruction or a register type that the emulator does not know, with its line
 */
export function modelKernel(fn: PtxFunction, moduleName: string): KernelModel {
  const cfg = buildCfg(splitWarpInstructions(fn), { splitAfter: isBarrier });
  const flow = analyzeFlow(cfg);
  const liveness = analyzeLiveness(cfg);
  const sites: Site[] = [];
  const where = `${moduleName}, kernel ${fn.name}`;
  const blocks = cfg.blocks.map((block): ModelBlock => {
    const instructions = block.instructions.map((instruction): ModelInstruction => {
      const lowered = lower(instruction, where);
      const op = lowered.ops.find(isAccess);
      if (op === undefined) return { ...lowered, instruction, site: undefined };
      const site = sites.length;
      sites.push(...sitesOf(instruction, op));
      return { ...lowered, instruction, site };
    });
    if (block.terminator.instruction !== undefined) lower(block.terminator.instruction, where);
    const barrier = instructions.at(-1)?.ops.find((op) => op.kind === 'barrier');
    return { ...block, instructions, barrier, liveIn: liveness.liveIn(block.id) };
  });
  const has = (wanted: Op['kind']) =>
    blocks.some(({ instructions }) =>
      instructions.some(({ ops }) => ops.some(({ kind }) => kind === wanted)),
    );
  const types = new Map(fn.registers).set(CARRY, 'pred').set(NEXT_CARRY, 'pred');
  return {
    fn,
    blocks,
    flow,
    sites,
    crossing: new Set(blocks.flatMap((block) => block.liveIn)),
    loopEntries: new Set([...flow.backEdges, ...flow.irreducibleEdges].map(({ to }) => to)),
    polling: findPolling(flow, blocks, registersReadBy(cfg)),
    quiet: quietLoops(flow, blocks),
    copies: has('copy'),
    signals: has('host'),
    kindOf: (register) => {
      const type: PtxType | undefined = types.get(register);
      const kind = type === undefined ? undefined : valueKind(type);
      if (kind === undefined)
        throw new RangeError(`${where}: register ${register} has the type ${type}, which is not held.`);
      return kind;
    },
  };
}
