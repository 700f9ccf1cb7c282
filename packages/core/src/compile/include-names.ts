import { posix } from 'node:path';

const DIRECTIVE = /^([ \t]*#[ \t]*include[ \t]*)(?:"([^"\n]+)"|<([^>\n]+)>)/gm;

/** Where a directive leads: beside the file that asks, then from the top; undefined where there is no such file. */
function resolve(
  files: Readonly<Record<string, string>>,
  from: string,
  quoted: string | undefined,
  angled: string | undefined,
): string | undefined {
  const name = quoted ?? (angled as string);
  const beside = quoted === undefined ? [] : [posix.join(posix.dirname(from), quoted)];
  return [...beside, posix.normalize(name)].find((path) => Object.hasOwn(files, path));
}

/**
 * The same files, where every `#include` of one of them names it from the top: `"fma.cuh"` in `ffma/epilogue.cuh`
 * becomes `"ffma/fma.cuh"`. A compiler that is given texts instead of files knows a header by the name in the directive
 * alone, so under two names it would be two headers, each with a `#pragma once` of its own.
 */
export function withFullNames(files: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(files).map(([from, text]) => [
    from,
    text.replace(DIRECTIVE, (whole, directive: string, quoted?: string, angled?: string) => {
      const path = resolve(files, from, quoted, angled);
      return path === undefined ? whole : `${directive}"${path}"`;
    }),
  ]);
  return Object.fromEntries(named);
}
