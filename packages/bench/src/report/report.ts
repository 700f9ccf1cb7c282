import { basename } from 'node:path';
import { isExperimentResult } from '../experiment/row-figures.js';
import { count } from '../render/numbers.js';
import { csvRows } from './csv-rows.js';
import { idMaker } from './ids.js';
import type { ReportInput, ReportInputs } from './inputs.js';
import { missingContents } from './missing.js';
import type { Report, Section } from './model.js';
import { provenanceSection } from './provenance.js';
import { benchSection } from './sections/bench.js';
import { comparisonSection } from './sections/comparison.js';
import type { SectionContext } from './sections/context.js';
import { experimentSection } from './sections/experiment.js';
import { profileSection } from './sections/profile.js';
import { rooflineSection } from './sections/roofline.js';
import { sweepSection } from './sections/sweep.js';
import { reportWarnings } from './warnings.js';

function sectionOf({ result }: ReportInput, context: SectionContext): Section {
  switch (result.kind) {
    case 'bench':
      return isExperimentResult(result) ? experimentSection(result, context) : benchSection(result, context);
    case 'profile':
      return profileSection(result, context);
    case 'roofline':
      return rooflineSection(result, context);
    case 'sweep':
      return sweepSection(result, context);
    case 'comparison':
      return comparisonSection(result, context);
  }
}

/** Names of the devices that a result speaks of. */
const devicesOf = ({ result }: ReportInput) =>
  result.kind === 'comparison'
    ? result.pairs.flatMap(({ base, new: other }) => [base.device.name, other.device.name])
    : [result.device.name];

/** Every figure of a section says where its figures come from. */
function stamped(section: Section, source: string): Section {
  return {
    ...section,
    blocks: section.blocks.map((block) =>
      block.kind === 'figure' ? { ...block, figure: { ...block.figure, source } } : block,
    ),
    ...(section.parts === undefined ? {} : { parts: section.parts.map((part) => stamped(part, source)) }),
  };
}

const sourceOf = (input: ReportInput) =>
  `${unique([...devicesOf(input)]).join(' and ') || basename(input.file)}, ${input.result.createdAt.slice(0, 10)}`;

const unique = (texts: readonly string[]) => [...new Set(texts)];

function summaryOf(inputs: readonly ReportInput[]): string {
  const devices = unique(inputs.flatMap(devicesOf));
  const days = unique(inputs.map(({ result }) => result.createdAt.slice(0, 10))).sort();
  const when = days.length === 1 ? days[0] : `${days[0]} to ${days.at(-1)}`;
  return `Made from ${count(inputs.length, 'result file')} of ${devices.join(' and ')}, ${when}.`;
}

function titleOf(inputs: readonly ReportInput[]): string {
  const devices = unique(inputs.flatMap(devicesOf));
  return devices.length === 0 ? 'Results' : `Results on ${devices.join(' and ')}`;
}

/** Makes a report of result files: everything that is shown of them, however it is laid out. */
export function reportOf({ inputs, leftOut }: ReportInputs): Report {
  const newId = idMaker();
  // Ids of the page's own parts.
  for (const own of ['main', 'warnings', 'missing', 'title', 'contents']) newId(own);
  const sections = inputs.map((input) => {
    const context = { file: basename(input.file), newId, inputs };
    return stamped(sectionOf(input, context), sourceOf(input));
  });
  return {
    title: titleOf(inputs),
    summary: summaryOf(inputs),
    warnings: [...reportWarnings(inputs), ...leftOut],
    sections,
    missing: missingContents(inputs),
    provenance: provenanceSection(inputs, newId),
    rows: csvRows(inputs),
  };
}
