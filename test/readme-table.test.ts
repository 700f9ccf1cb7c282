import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResult, renderSpeedTable } from '@ffma/bench';
import { expect, it } from 'vitest';
import { newestResult, unfit, withTable } from '../scripts/lib/readme-table.mjs';
import { root } from './workspace.js';

it('shows the newest committed result, and nothing that was not measured', async () => {
  const page = readFileSync(join(root, 'README.md'), 'utf8');
  const name = newestResult(join(root, 'results'));
  const lines: string[] = [];
  if (name !== undefined) {
    const result = await readResult(join(root, 'results', name));
    expect(unfit(result)).toBeUndefined();
    lines.push(...renderSpeedTable(result, `results/${name}`));
  }
  expect(page, 'Stale: npm run readme-table writes it.').toBe(withTable(page, lines));
});
