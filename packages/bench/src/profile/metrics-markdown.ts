import { type ProfileMetric, profileMetrics } from './metrics.js';
import { stallMetric } from './stalls.js';

const code = (text: string) => `\`${text}\``;

/** What is asked of ncu, the stall metrics by their pattern. */
function asked({ asks }: ProfileMetric): string {
  const pattern = stallMetric('long_scoreboard');
  return asks.map((ask) => code(ask === pattern ? pattern.replace('long_scoreboard', '*') : ask)).join(', ');
}

/** The table of every figure of a profile, as docs/profiling.md has it. */
export function metricsMarkdown(): string[] {
  return [
    '| figure | unit | meaning | from ncu | published in |',
    '| --- | --- | --- | --- | --- |',
    ...profileMetrics.map((metric) => {
      const { name, unit, meaning, seenIn = '' } = metric;
      return `| ${[code(name), unit, meaning, asked(metric), seenIn].join(' | ')} |`;
    }),
  ];
}

const BEGIN = '<!-- figures: npm run profiling-page -->';
const END = '<!-- end of figures -->';

/** A page with the table between its marks written anew. @throws Error where the marks are missing */
export function withMetricsTable(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`The page has no ${BEGIN} before ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${metricsMarkdown().join('\n')}\n\n${page.slice(end)}`;
}
