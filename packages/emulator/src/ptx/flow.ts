import type { ControlFlowGraph } from './cfg.js';
import { dominates, type Graph, immediateDominators, reverseGraph, reversePostorder } from './dominators.js';

export interface Edge {
  readonly from: number;
  readonly to: number;
}

/** A natural loop; loops with the same header are one. */
export interface Loop {
  readonly header: number;
  /** Sources of its back edges. */
  readonly latches: readonly number[];
  /** All its blocks, header included, ascending. */
  readonly blocks: readonly number[];
}

/** Order, dominance and loops of a control flow graph. Block ids index the arrays. */
export interface Flow {
  readonly reversePostorder: readonly number[];
  /** −1 for the entry. */
  readonly immediateDominator: Int32Array;
  /**
   * Over the paths that end in an exit block: {@link virtualExit} where they have only the end in common, −1 for a
   * block from which no path ends.
   */
  readonly immediatePostDominator: Int32Array;
  /** The number that stands for "after every exit block": the number of blocks. */
  readonly virtualExit: number;
  /** Edges to a block that dominates their source. */
  readonly backEdges: readonly Edge[];
  /** Edges that go back in reverse postorder to a block that does not dominate their source: a loop with two entries. */
  readonly irreducibleEdges: readonly Edge[];
  /** By header, ascending. */
  readonly loops: readonly Loop[];
}

/** Finds order, dominators, post-dominators and loops. */
export function analyzeFlow(cfg: ControlFlowGraph): Flow {
  const graph: Graph = cfg.blocks.map((block) => block.successors);
  const virtualExit = graph.length;
  const withExit: Graph = [...graph.map((s) => (s.length === 0 ? [virtualExit] : s)), []];
  const order = reversePostorder(graph, 0);
  const idom = immediateDominators(graph, 0);

  const position = new Int32Array(graph.length);
  order.forEach((node, index) => {
    position[node] = index;
  });
  const backEdges: Edge[] = [];
  const irreducibleEdges: Edge[] = [];
  graph.forEach((successors, from) => {
    for (const to of successors) {
      if (position[to]! > position[from]!) continue;
      (dominates(idom, to, from) ? backEdges : irreducibleEdges).push({ from, to });
    }
  });

  return {
    reversePostorder: order,
    immediateDominator: idom,
    immediatePostDominator: immediateDominators(reverseGraph(withExit), virtualExit).slice(0, virtualExit),
    virtualExit,
    backEdges,
    irreducibleEdges,
    loops: naturalLoops(reverseGraph(graph), backEdges),
  };
}

function naturalLoops(predecessors: Graph, backEdges: readonly Edge[]): Loop[] {
  const headers = [...new Set(backEdges.map(({ to }) => to))].sort((a, b) => a - b);
  return headers.map((header) => {
    const latches = backEdges.filter(({ to }) => to === header).map(({ from }) => from);
    const body = new Set([header, ...latches]);
    for (const block of body) {
      if (block === header) continue;
      for (const predecessor of predecessors[block]!) body.add(predecessor);
    }
    return { header, latches, blocks: [...body].sort((a, b) => a - b) };
  });
}
