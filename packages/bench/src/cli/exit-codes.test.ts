import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitCodes } from './exit-codes.js';

test('the documentation has each exit code and its meaning, and no other', () => {
  const page = readFileSync(new URL('../../../../docs/command-line.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Exit codes');
  const rows = section.split('\n## ')[0]?.match(/^\| \d+ \|.*$/gm);
  expect(rows).toEqual(Object.values(exitCodes).map(({ code, meaning }) => `| ${code} | ${meaning} |`));
});
