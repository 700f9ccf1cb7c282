import type { ProblemData } from '../data/problem-data.js';

/** The same function, computed once for each problem's data and forgotten with it: a reference takes m·n·k steps. */
export function remembered<T>(make: (data: ProblemData) => T): (data: ProblemData) => T {
  const known = new WeakMap<ProblemData, { readonly value: T }>();
  return (data) => {
    const found = known.get(data) ?? { value: make(data) };
    known.set(data, found);
    return found.value;
  };
}
