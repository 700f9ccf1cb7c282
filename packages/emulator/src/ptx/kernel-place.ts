import type { SourcePlace } from './ast.js';

/** Name that the build gives to the file of the generated entry points. */
const ENTRY_FILE = 'entry.cu';

function chain(innermost: SourcePlace): SourcePlace[] {
  const places: SourcePlace[] = [];
  for (let at: SourcePlace | undefined = innermost; at !== undefined; at = at.inlinedAt) places.push(at);
  return places;
}

/**
 * The line of a kernel's own source that an instruction comes from: of a chain of inlined places, the innermost that
 * is neither in a device header of core (`ffma/…`) nor in the generated entry. A line that the author wrote says more
 * than the primitive it calls. Where a compiler gives no chain (clang 19), or none of it is the author's, it is the
 * innermost place outside of the generated entry, else the innermost.
 */
export function kernelPlace(source: SourcePlace): { readonly file: string; readonly line: number } {
  const places = chain(source).filter(({ file }) => file !== ENTRY_FILE);
  const own = places.find(({ file }) => !file.startsWith('ffma/'));
  const { file, line } = own ?? places[0] ?? source;
  return { file, line };
}

/** The same for the end of a message: `, kernels/k03/kernel.cu:41`; nothing where there is no line information. */
export function placeSuffix(source: SourcePlace | undefined): string {
  if (source === undefined) return '';
  const { file, line } = kernelPlace(source);
  return `, ${file}:${line}`;
}
