import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { instructionsPage } from './support/instructions-page.js';

const page = new URL('../../../docs/instructions.md', import.meta.url);

test('docs/instructions.md lists what the tables have', () => {
  // Set by scripts/instructions-page.mjs.
  if (process.env.FFMA_WRITE_INSTRUCTIONS === '1') writeFileSync(page, instructionsPage());
  expect(readFileSync(page, 'utf8'), 'Run node scripts/instructions-page.mjs.').toBe(instructionsPage());
});
