import { CompileError } from '@ffma/core';
import type { Instruction, Operand, PtxFunction } from './ast.js';
import { linkReachable } from './cfg-links.js';

export type Guard = NonNullable<Instruction['guard']>;

/** How a block ends. Targets are block ids; `instruction` is the one that ends it, where the text has one. */
export type Terminator =
  | { readonly kind: 'jump'; readonly target: number; readonly instruction?: Instruction }
  | {
      readonly kind: 'branch';
      readonly guard: Guard;
      readonly taken: number;
      readonly fallthrough: number;
      readonly instruction: Instruction;
    }
  /** `brx.idx`: goes to `targets[index]`. */
  | {
      readonly kind: 'switch';
      readonly index: Operand;
      readonly targets: readonly number[];
      readonly instruction: Instruction;
    }
  /** `end` is the end of the body without a `ret`, which returns. */
  | {
      readonly kind: 'exit';
      readonly op: 'ret' | 'exit' | 'trap' | 'end';
      readonly instruction?: Instruction;
    };

export interface BasicBlock {
  /** Index in {@link ControlFlowGraph.blocks}. */
  readonly id: number;
  readonly label?: string;
  /** All but the one that the terminator holds. */
  readonly instructions: readonly Instruction[];
  readonly terminator: Terminator;
  /** Made for the taken side of a guarded `ret`, `exit`, `trap` or `brx`: the branch has counted its instruction. */
  readonly synthetic: boolean;
  /** Distinct block ids. */
  readonly successors: readonly number[];
  readonly predecessors: readonly number[];
}

export interface ControlFlowGraph {
  /** Reachable blocks in the order of the text, synthetic ones last; block 0 is the entry. */
  readonly blocks: readonly BasicBlock[];
}

export interface CfgOptions {
  /** Whether a block must end right after this instruction, e.g. because threads may be suspended there. */
  readonly splitAfter?: (instruction: Instruction) => boolean;
}

type Draft = { -readonly [K in keyof BasicBlock]: BasicBlock[K] } & { instructions: Instruction[] };

const exits: ReadonlySet<string> = new Set(['ret', 'exit', 'trap']);
const endOfBody: Terminator = { kind: 'exit', op: 'end' };

/**
 * Splits a function's body into basic blocks and links them. Blocks that cannot be reached are dropped.
 *
 * @throws CompileError where a branch names something that is no label of the function
 */
export function buildCfg(fn: PtxFunction, options: CfgOptions = {}): ControlFlowGraph {
  return new CfgBuilder(fn).build(options.splitAfter ?? (() => false));
}

class CfgBuilder {
  private readonly drafts: Draft[] = [];
  private readonly synthetic: Draft[] = [];
  private readonly labels = new Map<string, number>();
  /** Blocks whose last instruction leaves them; the others run into the next. */
  private readonly endings = new Map<Draft, Instruction>();

  constructor(private readonly fn: PtxFunction) {}

  build(splitAfter: (instruction: Instruction) => boolean): ControlFlowGraph {
    this.split(splitAfter);
    const count = this.drafts.length;
    for (const draft of [...this.drafts]) draft.terminator = this.terminate(draft, draft.id + 1, count);
    return { blocks: linkReachable([...this.drafts, ...this.synthetic]) };
  }

  /** A block starts at a label only if something branches there: line information brings labels of its own. */
  private split(splitAfter: (instruction: Instruction) => boolean): void {
    const targets = branchTargets(this.fn);
    let block = this.open();
    let ended = false;
    for (const statement of this.fn.body) {
      if (statement.kind === 'label') {
        if (!targets.has(statement.name)) continue;
        if (ended || block.instructions.length > 0) block = this.open();
        ended = false;
        block.label ??= statement.name;
        this.labels.set(statement.name, block.id);
        continue;
      }
      if (ended) block = this.open();
      ended = statement.op === 'bra' || statement.op === 'brx' || exits.has(statement.op);
      if (ended) this.endings.set(block, statement);
      else block.instructions.push(statement);
      ended ||= splitAfter(statement);
    }
  }

  private open(): Draft {
    const draft = newDraft(this.drafts.length, false);
    this.drafts.push(draft);
    return draft;
  }

  private terminate(draft: Draft, next: number, count: number): Terminator {
    const instruction = this.endings.get(draft);
    const falls: Terminator = next < count ? { kind: 'jump', target: next } : endOfBody;
    if (instruction === undefined) return falls;
    const { guard } = instruction;
    if (guard === undefined) return this.unguarded(instruction);
    const leave = this.unguarded(instruction);
    const taken = leave.kind === 'jump' ? leave.target : this.addSynthetic(leave, count);
    const fallthrough = next < count ? next : this.addSynthetic(endOfBody, count);
    if (taken === fallthrough) return { kind: 'jump', target: taken, instruction };
    return { kind: 'branch', guard, taken, fallthrough, instruction };
  }

  private unguarded(instruction: Instruction): Terminator {
    const { op, operands } = instruction;
    if (op === 'ret' || op === 'exit' || op === 'trap') return { kind: 'exit', op, instruction };
    if (op === 'bra') return { kind: 'jump', target: this.target(operands[0], instruction), instruction };
    const [index, table] = operands;
    if (index === undefined || table?.kind !== 'vector' || table.elements.length === 0) {
      throw this.error(instruction, 'an index register and a list of labels');
    }
    const targets = table.elements.map((element) => this.target(element, instruction));
    return { kind: 'switch', index, targets, instruction };
  }

  private addSynthetic(terminator: Terminator, count: number): number {
    const draft = newDraft(count + this.synthetic.length, true);
    draft.terminator = terminator;
    this.synthetic.push(draft);
    return draft.id;
  }

  private target(operand: Operand | undefined, instruction: Instruction): number {
    const id = operand?.kind === 'symbol' ? this.labels.get(operand.name) : undefined;
    if (id === undefined) throw this.error(instruction, 'a label of this function');
    return id;
  }

  private error(instruction: Instruction, expected: string): CompileError {
    const { line, text } = instruction;
    return new CompileError(
      `PTX line ${line}: '${text}' needs ${expected} as target (function '${this.fn.name}').`,
      { details: { function: this.fn.name, line, found: text, expected } },
    );
  }
}

function newDraft(id: number, synthetic: boolean): Draft {
  return { id, instructions: [], terminator: endOfBody, synthetic, successors: [], predecessors: [] };
}

function branchTargets(fn: PtxFunction): Set<string> {
  const names = new Set<string>();
  for (const statement of fn.body) {
    if (statement.kind === 'label' || (statement.op !== 'bra' && statement.op !== 'brx')) continue;
    for (const operand of statement.operands) {
      for (const target of operand.kind === 'vector' ? operand.elements : [operand]) {
        if (target.kind === 'symbol') names.add(target.name);
      }
    }
  }
  return names;
}
