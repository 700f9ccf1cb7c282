// Writes the table of docs/profiling.md that says what each figure of a profile is, from the built @ffma/bench.
import { readFileSync, writeFileSync } from 'node:fs';
import { withMetricsTable } from '../packages/bench/dist/profile/metrics-markdown.js';

const page = new URL('../docs/profiling.md', import.meta.url);
writeFileSync(page, withMetricsTable(readFileSync(page, 'utf8')));
