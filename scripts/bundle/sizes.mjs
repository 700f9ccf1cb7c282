export const MIB = 1024 * 1024;

/**
 * A part of the archive: `bytes` unpacked, `packed` in the archive.
 * @typedef {{ name: string, files: number, bytes: number, packed: number }} Part
 */

/** @param {number} bytes */
export const mib = (bytes) => `${(bytes / MIB).toFixed(1)} MiB`;

/** @param {readonly Part[]} parts */
const largestFirst = (parts) => [...parts].sort((x, y) => y.packed - x.packed);

/**
 * A line a part, the largest first, and one for all.
 * @param {readonly Part[]} parts
 */
export function sizeTable(parts) {
  /** @param {'files' | 'bytes' | 'packed'} field */
  const sum = (field) => parts.reduce((total, part) => total + part[field], 0);
  const all = { name: 'all', files: sum('files'), bytes: sum('bytes'), packed: sum('packed') };
  /** @param {readonly [string, string, string, string]} cells */
  const row = ([name, files, bytes, packed]) =>
    `    ${name.padEnd(14)}${files.padStart(8)}${bytes.padStart(13)}${packed.padStart(13)}`;
  return [
    row(['part', 'files', 'unpacked', 'packed']),
    ...[...largestFirst(parts), all].map(({ name, files, bytes, packed }) =>
      row([name, String(files), mib(bytes), mib(packed)]),
    ),
  ];
}

/**
 * What is wrong with the size, as a sentence; undefined where it is within the limit.
 * @param {readonly Part[]} parts
 * @param {number} limit bytes
 */
export function sizeComplaint(parts, limit) {
  const total = parts.reduce((sum, { packed }) => sum + packed, 0);
  if (total <= limit) return undefined;
  const named = largestFirst(parts)
    .slice(0, 3)
    .map(({ name, packed }) => `${name} ${mib(packed)}`);
  return `The archive may have ${mib(limit)} but has ${mib(total)}. Its largest parts: ${named.join(', ')}.`;
}
