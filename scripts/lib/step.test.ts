import { expect, it, vi } from 'vitest';
import { line, step } from './step.mjs';

const output = () => {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  return { text: () => text, [Symbol.dispose]: () => vi.restoreAllMocks() };
};

it('fits into 80 columns, whatever the name', () => {
  expect(line('✓', 'short', 1200)).toMatch(/^ {2}✓ short +1\.2 s$/);
  expect(line('✓', `${'long/'.repeat(30)}end`, 1200)).toMatch(/^ {2}✓ ….*\/end +1\.2 s$/);
  expect(line('✓', 'x'.repeat(300), 99_999_999).length).toBeLessThanOrEqual(80);
});

it('says in one line what succeeded, and hides its output', async () => {
  using shown = output();
  expect(await step('Build', async () => ({ code: 0, output: 'noise', note: 'cached' }))).toBe(true);
  expect(shown.text()).toMatch(/✓ Build \(cached\) +0\.0 s\n$/);
  expect(shown.text()).not.toContain('noise');
});

it('shows the whole output of what failed', async () => {
  using shown = output();
  expect(await step('Build', async () => ({ code: 2, output: 'first\nlast\n' }))).toBe(false);
  expect(shown.text()).toMatch(/✗ Build +0\.0 s\n\nfirst\nlast\n\nBuild failed \(exit code 2\)\.\n$/);
});
