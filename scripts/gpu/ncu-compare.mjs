// Sets what Nsight Compute counted beside what the emulator counted of the same kernels at the same sizes, as Markdown.
// See docs/counters.md.
import {
  besideCounters,
  ofKind,
  readAnyResult,
  renderBesideCounters,
} from '../../packages/bench/dist/index.js';

/** @param {string} profile @param {string} counters */
async function compare(profile, counters) {
  const rows = besideCounters(
    ofKind(await readAnyResult(profile), 'profile', profile),
    ofKind(await readAnyResult(counters), 'bench', counters),
  );
  if (rows.length === 0)
    throw new Error(`${profile} and ${counters} have no kernel at the same size in common.`);
  return renderBesideCounters(rows);
}

const [profile, counters, ...more] = process.argv.slice(2);
if (profile === undefined || counters === undefined || more.length > 0) {
  process.stderr.write('usage: node scripts/gpu/ncu-compare.mjs PROFILE.json COUNTERS.json\n');
  process.exit(2);
}
try {
  process.stdout.write(`${(await compare(profile, counters)).join('\n')}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
