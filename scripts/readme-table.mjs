// Writes the README's speed table from the newest committed result: npm run readme-table
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readResult, renderSpeedTable } from '@ffma/bench';
import { newestResult, unfit, withTable } from './lib/readme-table.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'README.md');

const name = newestResult(join(root, 'results'));
if (name === undefined) {
  process.stderr.write('There is no results/h200-….json. ffma bench --device cuda --json writes one.\n');
  process.exit(1);
}
const result = await readResult(join(root, 'results', name));
const reason = unfit(result);
if (reason !== undefined) {
  process.stderr.write(`results/${name} is not shown. ${reason}\n`);
  process.exit(1);
}
writeFileSync(page, withTable(readFileSync(page, 'utf8'), renderSpeedTable(result, `results/${name}`)));
process.stdout.write(`README.md shows results/${name}.\n`);
