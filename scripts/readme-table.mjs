// Writes the README's tables from committed result files, and the list of experiments: npm run readme-table
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { discoverKernels, readResult } from '@ffma/bench';
import { experimentLines } from './lib/experiments-page.mjs';
import { withTable, withTables } from './lib/readme-table.mjs';
import { WINNERS, winnerLines } from './lib/winners.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readme = join(root, 'README.md');
const list = join(root, 'docs/experiments.md');

const { experiments } = await discoverKernels(root);
const winners = winnerLines(await readResult(join(root, WINNERS)));
const listed = withTable(readFileSync(list, 'utf8'), experimentLines(experiments), 'experiments');
writeFileSync(list, withTable(listed, winners, 'winners'));
process.stdout.write(`docs/experiments.md lists ${experiments.length} experiments.\n`);

const { text, files, notShown } = await withTables(readFileSync(readme, 'utf8'), join(root, 'results'));
for (const sentence of notShown) process.stderr.write(`${sentence}\n`);
if (files.length === 0) process.exit(1);
writeFileSync(readme, text);
process.stdout.write(`README.md shows ${files.join(', ')}.\n`);
