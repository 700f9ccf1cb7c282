import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withMetricsTable } from './metrics-markdown.js';

test('the page on profiling has the figures as they are; npm run profiling-page writes them', () => {
  const page = readFileSync(new URL('../../../../docs/profiling.md', import.meta.url), 'utf8');
  expect(withMetricsTable(page)).toBe(page);
  expect(() => withMetricsTable('no marks')).toThrow(/has no <!-- figures/);
});
