// Sets what Nsight Compute counted beside what the emulator counted of the same kernels at the same sizes, as Markdown.
// See docs/counters.md.
//
// usage: node scripts/gpu/ncu-compare.mjs PROFILE.json COUNTERS.json
import {
  besideCounters,
  ofKind,
  readAnyResult,
  renderBesideCounters,
} from '../../packages/bench/dist/index.js';

const [profile = '', counters = ''] = process.argv.slice(2);
const rows = besideCounters(
  ofKind(await readAnyResult(profile), 'profile', profile),
  ofKind(await readAnyResult(counters), 'bench', counters),
);
process.stdout.write(`${renderBesideCounters(rows).join('\n')}\n`);
if (rows.length === 0) {
  process.stderr.write(`${profile} and ${counters} have no kernel at the same size in common.\n`);
  process.exitCode = 1;
}
