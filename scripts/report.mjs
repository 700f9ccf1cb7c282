// Writes a page of the committed results: npm run report
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readReportInputs, renderReportHtml, reportOf, writeAtomically } from '@ffma/bench';

// Files are named in the page as they are named here.
process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
const page = '.ffma/report.html';

const report = reportOf(await readReportInputs(['results']));
mkdirSync(dirname(page), { recursive: true });
await writeAtomically(page, await renderReportHtml(report));
process.stdout.write(`${page}\n${report.summary}\n`);
for (const { file, text } of report.warnings) process.stderr.write(`${file}: ${text}\n`);
