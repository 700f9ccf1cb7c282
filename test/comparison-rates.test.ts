import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noises, ROUNDS, rateLine } from '../scripts/lib/comparison-rates.mjs';
import { root } from './workspace.js';

const page = readFileSync(join(root, 'docs/comparing.md'), 'utf8');
const lines = page.slice(page.indexOf('<!-- rates -->'), page.indexOf('<!-- /rates -->')).split('\n');
const rows = lines
  .filter((line) => /^\| .* \| \d+ \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

it('the rates of docs/comparing.md are those of the simulation', () => {
  expect(rows.map(([, name, rounds]) => [name, Number(rounds)])).toEqual(
    ROUNDS.flatMap((rounds) => Object.keys(noises).map((name) => [name, rounds])),
  );
  // One line takes a second, and all come from the same code.
  const [name = ''] = Object.keys(noises).slice(-1);
  expect(lines, 'Stale: npm run comparison-rates writes it.').toContain(rateLine(name, 15));
});

it('changes are found and none is made up, as the page says', () => {
  for (const [, name = '', , , , falseAlarm = '', , five = '', ten = ''] of rows) {
    expect(Number.parseFloat(falseAlarm), name).toBeLessThanOrEqual(2.5);
    if (name.includes('by chance')) continue;
    expect(Number.parseFloat(falseAlarm), name).toBeLessThanOrEqual(0.5);
    expect(Number.parseFloat(five), name).toBeGreaterThan(90);
    expect(Number.parseFloat(ten), name).toBeGreaterThan(99);
  }
});
