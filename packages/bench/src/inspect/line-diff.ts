/** A line of a comparison: in both texts, only in the first, or only in the second. */
export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Lengths of the longest common sequences of the rests of two lists, by where the rests begin. */
function commonLengths(from: readonly string[], to: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: from.length + 1 }, () => new Uint32Array(to.length + 1));
  for (let i = from.length - 1; i >= 0; i--) {
    const [row, next] = [lengths[i] as Uint32Array, lengths[i + 1] as Uint32Array];
    for (let j = to.length - 1; j >= 0; j--) {
      row[j] =
        from[i] === to[j] ? (next[j + 1] as number) + 1 : Math.max(next[j] as number, row[j + 1] as number);
    }
  }
  return lengths;
}

/** What to remove from one text, and to add, to come to the other: as little as can be. Meant for files of some hundred lines. */
export function diffLines(from: string, to: string): DiffLine[] {
  const [old, fresh] = [from.split('\n'), to.split('\n')];
  const lengths = commonLengths(old, fresh);
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [removed, added] = [old[i], fresh[j]];
    if (removed !== undefined && removed === added) {
      lines.push({ kind: 'same', text: removed });
      i++;
      j++;
    } else if (removed !== undefined && (added === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: 'removed', text: removed });
      i++;
    } else {
      lines.push({ kind: 'added', text: added as string });
      j++;
    }
  }
  return lines;
}

/** The lines that differ, and so many around them; `null` where lines are left out. */
export function withContext(lines: readonly DiffLine[], context: number): (DiffLine | null)[] {
  const near = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== 'same');
  const shown: (DiffLine | null)[] = [];
  for (const [at, line] of lines.entries()) {
    if (near(at)) shown.push(line);
    else if (shown.length === 0 || shown.at(-1) !== null) shown.push(null);
  }
  return shown;
}
