// Writes the table of docs/comparing.md that says how often ffma compare is right: npm run comparison-rates
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rateLines } from './lib/comparison-rates.mjs';
import { withTable } from './lib/readme-table.mjs';

const page = fileURLToPath(new URL('../docs/comparing.md', import.meta.url));
writeFileSync(page, withTable(readFileSync(page, 'utf8'), rateLines(), 'rates'));
process.stdout.write('docs/comparing.md has the rates.\n');
