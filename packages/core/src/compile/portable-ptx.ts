/** Undoes the escapes of a PTX string. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

/**
 * PTX text with file names as they are inside `folder`, without comments about them: the same bytes on every machine.
 * A file from elsewhere (a toolkit's header) is named from its include folder on.
 */
export function portablePtx(ptx: string, folder: string): string {
  const root = folder.replaceAll('\\', '/').replace(/\/?$/, '/');
  return ptx
    .replace(/\r\n/g, '\n')
    .replace(/^(\s*\.loc\b[^/\n]*?)[ \t]*\/\/.*$/gm, '$1')
    .replace(
      /^(\s*\.file\s+\d+\s+)"((?:[^"\\]|\\.)*)"(.*)$/gm,
      (_, head: string, quoted: string, rest: string) => {
        const path = withoutEscapes(quoted).replaceAll('\\', '/');
        const inside = path.startsWith(root)
          ? path.slice(root.length)
          : path.replace(/^(\/|[A-Za-z]:\/).*\/include\//, '');
        return `${head}"${inside.replace(/^(\.\/)+/, '')}"${rest.replace(/,\s*\d+,\s*\d+\s*$/, '')}`;
      },
    );
}
