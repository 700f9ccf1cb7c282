import { expect, it } from 'vitest';
import { MIB, sizeComplaint, sizeTable } from './sizes.mjs';

const part = (name: string, packed: number) => ({
  name,
  files: 2,
  bytes: 3 * packed * MIB,
  packed: packed * MIB,
});
const parts = [part('kernels', 20), part('scripts', 1), part('Node.js', 30), part('packages', 5)];

it('lists the parts, the largest first, and their sum', () => {
  const rows = sizeTable(parts).map((row) => row.trim().split(/ {2,}/));
  expect(rows.map(([name]) => name)).toEqual(['part', 'Node.js', 'kernels', 'packages', 'scripts', 'all']);
  expect(rows.at(-1)).toEqual(['all', '8', '168.0 MiB', '56.0 MiB']);
});

it('is content up to the limit, and above names the largest parts', () => {
  expect(sizeComplaint(parts, 56 * MIB)).toBeUndefined();
  expect(sizeComplaint(parts, 56 * MIB - 1)).toBe(
    'The archive may have 56.0 MiB but has 56.0 MiB. ' +
      'Its largest parts: Node.js 30.0 MiB, kernels 20.0 MiB, packages 5.0 MiB.',
  );
});
