import { expect, test } from 'vitest';
import { wrongAccesses } from '../packages/kernels-cudacore/test/wrong-kernels/wrong-accesses.js';
import { wrongCopies } from '../packages/kernels-cudacore/test/wrong-kernels/wrong-copies.js';
import { wrongResults } from '../packages/kernels-cudacore/test/wrong-kernels/wrong-results.js';
import { wrongStages } from '../packages/kernels-cudacore/test/wrong-kernels/wrong-stages.js';
import { wrongCopied } from '../packages/kernels-hopper/test/wrong-kernels/wrong-copied.js';
import { wrongTails } from '../packages/kernels-hopper/test/wrong-kernels/wrong-tails.js';
import { wrongTiles } from '../packages/kernels-hopper/test/wrong-kernels/wrong-tiles.js';
import { wrongSums } from '../packages/streamk/test/wrong-kernels/wrong-sums.js';

interface Row {
  readonly kernel: string;
  readonly what: string;
  readonly caught: readonly string[];
  /** Part of the line that a fault names. */
  readonly line?: string | undefined;
}

const gates = (names: readonly string[] | undefined) => (names ?? []).map((name) => `gate \`${name}\``);
const faults = (kinds: readonly string[] | undefined) => (kinds ?? []).map((kind) => `fault \`${kind}\``);

const rows: readonly Row[] = [
  ...wrongResults.map(({ what, fails, of }) => ({ kernel: of?.name ?? 'k03', what, caught: gates(fails) })),
  ...wrongAccesses.map(({ what, kind, fails, of, line }) => ({
    line,
    kernel: of?.name ?? 'k03',
    what,
    caught: [...faults([kind]), ...gates(fails)],
  })),
  ...[...wrongCopies, ...wrongSums, ...wrongStages, ...wrongCopied, ...wrongTiles, ...wrongTails].map(
    ({ what, kinds, fails, of, line }) => ({
      line,
      kernel: of.name,
      what: what.startsWith(`${of.name} `) ? what.slice(of.name.length + 1) : what,
      caught: [...faults(kinds), ...gates(fails)],
    }),
  ),
];

/** A table's cell. */
const code = (line: string | undefined) => (line === undefined ? '' : `\`${line.replaceAll('|', '\\|')}\``);

const page = `# Kernels that are wrong on purpose

${rows.length} kernels, each one edit away from a shipped one. Each must be caught as the table says, or the tests fail;
how, [Correctness](correctness.md) explains. A fault names kernel, block, thread, and line of PTX and source; a gate
names the first element that is wrong. This page is written by \`npx vitest run --project emulator
test/mutants.test.ts -u\`.

| base | what is wrong | caught by | at the line |
|---|---|---|---|
${rows.map(({ kernel, what, caught, line }) => `| ${kernel} | ${what} | ${caught.join(', ')} | ${code(line)} |`).join('\n')}
`;

test('the page of mutants lists all that are tested', async () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter(({ caught }) => caught.length === 0)).toEqual([]);
  await expect(page).toMatchFileSnapshot('../docs/mutants.md');
});
