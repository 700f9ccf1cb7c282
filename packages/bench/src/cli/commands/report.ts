import { relative } from 'node:path';
import { Command, Option } from 'commander';
import { isExperimentResult } from '../../experiment/row-figures.js';
import { renderBench } from '../../render/bench.js';
import { renderComparison } from '../../render/compare.js';
import { renderExperiment } from '../../render/experiment.js';
import { count } from '../../render/numbers.js';
import { renderProfile } from '../../render/profile.js';
import { renderRoofline } from '../../render/roofline.js';
import type { Style } from '../../render/style.js';
import { renderSweep } from '../../render/sweep.js';
import { hang } from '../../render/text.js';
import type { ThemeName } from '../../report/charts/palette.js';
import { renderReportCsv } from '../../report/csv.js';
import { type PictureFormat, pictureFormats, pictureName, writeCharts } from '../../report/export/charts.js';
import { needChromium } from '../../report/export/chromium.js';
import { renderReportHtml } from '../../report/html/page.js';
import { type ReportInput, type ReportInputs, readReportInputs } from '../../report/inputs.js';
import { renderReportMarkdown } from '../../report/markdown.js';
import { figuresOf } from '../../report/model.js';
import { reportOf } from '../../report/report.js';
import { checkWritable, writeAtomically } from '../../result/output.js';
import { UsageError } from '../../usage-error.js';
import { type Io, look, print, printJson } from '../io.js';
import { progressOn } from '../progress.js';

interface ReportOptions {
  readonly html?: string;
  readonly markdown?: true;
  readonly csv?: string;
  readonly charts?: string;
  readonly format?: PictureFormat;
  readonly theme?: ThemeName;
  readonly json?: true;
}

/** @throws UsageError where something that was asked for cannot be done, before anything is written */
async function check(
  io: Io,
  { html, csv, charts, format, theme, markdown, json }: ReportOptions,
): Promise<void> {
  const printed = [
    ...(markdown ? ['--markdown'] : []),
    ...(json ? ['--json'] : []),
    ...(html === '-' ? ['--html -'] : []),
    ...(csv === '-' ? ['--csv -'] : []),
  ];
  if (printed.length > 1)
    throw new UsageError(`${printed.join(' and ')} both go to standard output.`, {
      remedy: 'Give all but one a file, or call it twice.',
    });
  if (charts === undefined && (format !== undefined || theme !== undefined))
    throw new UsageError(
      `--${format === undefined ? 'theme' : 'format'} is about --charts, which is not asked for.`,
    );
  if (format === 'png') needChromium(io.env);
  for (const file of [html, csv]) if (file !== undefined && file !== '-') await checkWritable(file);
}

/** A result as the command that made it shows it. */
function ownLines({ result }: ReportInput, style: Style, width: number): readonly string[] {
  switch (result.kind) {
    case 'bench':
      return isExperimentResult(result)
        ? renderExperiment(result, style, width)
        : renderBench(result, style, width);
    case 'profile':
      return renderProfile(result, style, width);
    case 'roofline':
      return renderRoofline(result, style, width);
    case 'sweep':
      return renderSweep(result, style, width);
    case 'comparison':
      return renderComparison(result, style, width);
  }
}

/** Every result for a terminal, one after the other, then what was left out. */
function shownLines(io: Io, { inputs, leftOut }: ReportInputs): string[] {
  const { style, width } = look(io);
  const several = inputs.length > 1;
  return [
    ...inputs.flatMap((input, i) => [
      ...(i === 0 ? [] : ['']),
      ...(several ? [style.bold(input.file)] : []),
      ...ownLines(input, style, width),
    ]),
    ...leftOut.flatMap(({ file, text }) => hang(`${style.yellow('note')}  `, `${file}: ${text}`, width)),
  ];
}

async function report(io: Io, files: readonly string[], options: ReportOptions): Promise<void> {
  const { html, csv, charts, format, theme, markdown, json } = options;
  await check(io, options);
  const found = await readReportInputs(files);
  const made = reportOf(found);
  const { style, width } = look(io);
  const wrote: string[] = [];
  const give = async (to: string | undefined, text: () => string | Promise<string>, what: string) => {
    if (to === undefined) return;
    const content = await text();
    if (to === '-') io.stdout.write(content);
    else {
      await writeAtomically(to, content);
      wrote.push(`${to}: ${what}`);
    }
  };
  await give(
    html,
    () => renderReportHtml(made),
    `a page of ${count(found.inputs.length, 'result file')}, ${count(figuresOf(made).length, 'chart')}`,
  );
  await give(csv, () => renderReportCsv(made), count(made.rows.length, 'row'));
  if (charts !== undefined) {
    using progress = progressOn(io.stderr);
    const pictures = await writeCharts(made, charts, { format, theme, onStep: progress.show, env: io.env });
    progress.clear();
    wrote.push(`${charts}: ${count(pictures.length, 'chart')}`);
  }
  if (markdown) {
    const picture = (id: string) =>
      `${relative('.', charts as string)}/${pictureName(id, { format, theme })}`;
    print(io, renderReportMarkdown(made, charts === undefined ? {} : { picture: ({ id }) => picture(id) }));
  } else if (json) printJson(io, made);
  else if (html === undefined && csv === undefined && charts === undefined) print(io, shownLines(io, found));
  else if (html !== '-' && csv !== '-') {
    const missing = made.missing.flatMap(({ what, command }) => [
      ...hang('  ', what, width),
      ...hang('    ', command, width),
    ]);
    print(io, [
      ...wrote.flatMap((line) => hang('', line, width)),
      ...made.warnings.flatMap(({ file, text }) =>
        hang(`${style.yellow('warning')}  `, `${file}: ${text}`, width),
      ),
      ...(missing.length === 0
        ? []
        : [style.dim('Not in it, and what makes it:'), ...missing.map(style.dim)]),
    ]);
  }
}

export function reportCommand(io: Io): Command {
  return new Command('report')
    .argument('<files...>', 'result files, as --json wrote them, or folders of them')
    .option('--html <file>', 'write one page with charts and data that needs no network; - prints it')
    .option('--markdown', 'print Markdown, for a README or a comment; with --charts it shows these')
    .option('--csv <file>', 'write a row for each kernel and size; - prints them')
    .option('--charts <folder>', 'write every chart as a picture of its own')
    .addOption(
      new Option('--format <format>', 'of the pictures: svg, or png, which takes a Chromium').choices(
        pictureFormats,
      ),
    )
    .addOption(new Option('--theme <theme>', 'of the pictures').choices(['light', 'dark']))
    .option('--json', 'print what the report says as JSON, before it is laid out')
    .action((files: string[], options: ReportOptions) => report(io, files, options));
}
