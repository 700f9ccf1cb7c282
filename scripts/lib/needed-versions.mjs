import { readFileSync } from 'node:fs';

/**
 * What a program or library for Linux asks of the host's libraries, from the names in its dynamic section.
 * @param {string} file
 * @returns {{ libraries: string[], glibc: string }} file names such as `libc.so.6`; the newest version of glibc that it
 *   asks for, `0` where it asks for none
 */
export function neededVersions(file) {
  const text = readFileSync(file, 'latin1');
  const libraries = [...new Set(text.match(/(?<=\0)(lib|ld-)[\w+-]+\.so\.\d+(?=\0)/g) ?? [])].sort();
  const versions = text.match(/(?<=\0GLIBC_)\d+(\.\d+)+(?=\0)/g) ?? [];
  return { libraries, glibc: newest(versions) };
}

/** The newest of versions such as `2.34`; `0` of none. @param {readonly string[]} versions */
export function newest(versions) {
  return [...versions].sort((x, y) => x.localeCompare(y, 'en', { numeric: true })).at(-1) ?? '0';
}
