/** An argument as a POSIX shell reads it back. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * A command over lines of at most `width` columns where its words allow it, to be pasted into a shell.
 * @param as how some words are written instead
 */
export function shellCommand(
  words: readonly string[],
  width: number,
  as: ReadonlyMap<string, string> = new Map(),
): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words.map((each) => as.get(each) ?? shellWord(each))) {
    const next = line === '' ? word : `${line} ${word}`;
    if (line !== '' && next.length > width - 2) {
      lines.push(`${line} \\`);
      line = `  ${word}`;
    } else line = next;
  }
  return [...lines, line];
}

/** A variable that holds a list separated by commas, over lines; a line that is continued must not be indented. */
export function shellList(name: string, items: readonly string[], width: number): string[] {
  const lines: string[] = [];
  let line = `${name}=`;
  for (const [i, item] of items.entries()) {
    const text = shellWord(item) + (i < items.length - 1 ? ',' : '');
    if (line.length > 0 && line.length + text.length > width - 1 && line !== `${name}=`) {
      lines.push(`${line}\\`);
      line = text;
    } else line += text;
  }
  return [...lines, line];
}
