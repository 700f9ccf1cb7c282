/** Edits (insert, delete, replace) that turn `from` into `to`. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, j) => j);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replace = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next[j] = Math.min(replace, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    row = next;
  }
  return row[to.length] as number;
}

/** Up to five names that resemble `wanted`: those that begin with it or are at most a third of it away, nearest first. */
export function nearNames(wanted: string, names: Iterable<string>): string[] {
  const word = wanted.toLowerCase();
  return [...new Set(names)]
    .map((name) => {
      const other = name.toLowerCase();
      return { name, far: word !== '' && other.startsWith(word) ? 0 : distance(word, other) };
    })
    .filter(({ far }) => far <= Math.max(1, Math.floor(word.length / 3)))
    .sort((x, y) => x.far - y.far || x.name.localeCompare(y.name))
    .slice(0, 5)
    .map(({ name }) => name);
}
