// Writes the README's tables from committed result files: npm run readme-table
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withTables } from './lib/readme-table.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'README.md');

const { text, files, notShown } = await withTables(readFileSync(page, 'utf8'), join(root, 'results'));
for (const sentence of notShown) process.stderr.write(`${sentence}\n`);
if (files.length === 0) process.exit(1);
writeFileSync(page, text);
process.stdout.write(`README.md shows ${files.join(', ')}.\n`);
