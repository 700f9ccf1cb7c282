/** A directed graph over nodes 0 … n−1: the successors of each. */
export type Graph = readonly (readonly number[])[];

/** Nodes that `entry` reaches, each before its successors but for retreating edges. Not recursive. */
export function reversePostorder(graph: Graph, entry: number): number[] {
  const order: number[] = [];
  const seen = new Uint8Array(graph.length);
  const stack = [{ node: entry, next: 0 }];
  seen[entry] = 1;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const successor = graph[top.node]![top.next++];
    if (successor === undefined) {
      order.push(top.node);
      stack.pop();
    } else if (seen[successor] === 0) {
      seen[successor] = 1;
      stack.push({ node: successor, next: 0 });
    }
  }
  return order.reverse();
}

/** The graph with every edge turned round. */
export function reverseGraph(graph: Graph): number[][] {
  const reversed: number[][] = graph.map(() => []);
  graph.forEach((successors, node) => {
    for (const successor of successors) reversed[successor]!.push(node);
  });
  return reversed;
}

/**
 * The immediate dominator of each node; −1 for the entry and for nodes that it does not reach.
 * After Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
 */
export function immediateDominators(graph: Graph, entry: number): Int32Array {
  const order = reversePostorder(graph, entry);
  const position = new Int32Array(graph.length).fill(-1);
  order.forEach((node, index) => {
    position[node] = index;
  });
  const predecessors = reverseGraph(graph);
  const idom = new Int32Array(graph.length).fill(-1);
  idom[entry] = entry;

  const intersect = (a: number, b: number): number => {
    let [x, y] = [a, b];
    while (x !== y) {
      while (position[x]! > position[y]!) x = idom[x]!;
      while (position[y]! > position[x]!) y = idom[y]!;
    }
    return x;
  };

  for (let changed = true; changed; ) {
    changed = false;
    for (const node of order) {
      if (node === entry) continue;
      let best = -1;
      for (const predecessor of predecessors[node]!) {
        if (idom[predecessor] === -1) continue;
        best = best === -1 ? predecessor : intersect(predecessor, best);
      }
      if (idom[node] !== best) {
        idom[node] = best;
        changed = true;
      }
    }
  }
  idom[entry] = -1;
  return idom;
}

/** Whether `a` is `b` or one of the nodes above it in the dominator tree. */
export function dominates(idom: Int32Array, a: number, b: number): boolean {
  let node = b;
  while (node !== a && node !== -1) node = idom[node] ?? -1;
  return node === a;
}
