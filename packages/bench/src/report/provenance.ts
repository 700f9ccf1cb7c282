import type { ProfileRow } from '../profile/schema.js';
import { count, shape } from '../render/numbers.js';
import type { Table } from '../render/table.js';
import { clocksText, sessionNotes } from '../render/times.js';
import type { AnyResult, ResultOf } from '../result/kinds.js';
import type { BenchResult, ResultRow } from '../result/schema.js';
import type { Session } from '../result/times-schema.js';
import type { ReportInput } from './inputs.js';
import type { Block, Section } from './model.js';
import { list, table } from './sections/blocks.js';

const facts = (pairs: readonly (readonly [string, string | undefined])[]): Table => ({
  columns: [{ title: 'what' }, { title: 'value' }],
  rows: pairs.flatMap(([what, value]) => (value === undefined ? [] : [{ cells: [what, value] }])),
});

const entries = (values: Readonly<Record<string, unknown>> | undefined) =>
  values &&
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** Of the files that were compared. */
function comparedFiles({ pairs }: ResultOf<'comparison'>) {
  return pairs.flatMap(({ base, new: other }) =>
    [base, other].map(({ from, device, createdAt, protocol }, i) => {
      const driver = device.driver === undefined ? '' : `, driver ${device.driver}`;
      const how = `${protocol.name} ${protocol.version}`;
      return [i === 0 ? 'base' : 'new', `${from}: ${device.name}${driver}, ${createdAt}, ${how}`] as const;
    }),
  );
}

const gitText = ({ revision, dirty }: NonNullable<BenchResult['git']>) =>
  `${revision}${dirty ? ', with changes that were not committed' : ''}`;

function madeBy(result: AnyResult): Table {
  if (result.kind === 'comparison') {
    const { createdAt, tool } = result;
    return facts([['made', createdAt], ['versions', entries(tool)], ...comparedFiles(result)]);
  }
  const { createdAt, device, host, tool, ...rest } = result;
  const protocol = 'protocol' in rest ? rest.protocol : undefined;
  const { limits, details } = device;
  const parameters = protocol && 'parameters' in protocol ? entries(protocol.parameters) : undefined;
  return facts([
    ['made', createdAt],
    [
      'device',
      `${device.name}, ${device.arch}${limits.smCount === undefined ? '' : `, ${limits.smCount} SMs`}`,
    ],
    ...Object.entries(details).map(([name, value]) => [name, String(value)] as const),
    [
      'host',
      `${host.cpu}, ${count(host.cores, 'core')}, ${host.platform} ${host.release}, Node ${host.node}`,
    ],
    ['versions', entries(tool)],
    ['git', 'git' in rest && rest.git ? gitText(rest.git) : undefined],
    ['protocol', protocol && [`${protocol.name} ${protocol.version}`, parameters].filter(Boolean).join(': ')],
    ['math mode', 'mathMode' in rest ? rest.mathMode : undefined],
    ['profiler', 'profiler' in rest ? `${rest.profiler.name} ${rest.profiler.version}` : undefined],
  ]);
}

/** Clocks of each size, and the rounds that were throttled. */
function clocksTable(sessions: readonly Session[]): Table {
  return {
    columns: [
      { title: 'size' },
      { title: 'started' },
      { title: 'rounds', align: 'right' },
      { title: 'throttled', align: 'right' },
      { title: 'ended by' },
      { title: 'clocks' },
    ],
    rows: sessions.map((session) => {
      const throttled = session.rounds.filter(({ throttledBy }) => throttledBy.length > 0);
      return {
        cells: [
          shape(session.problem),
          session.startedAt,
          String(session.rounds.filter(({ used }) => used).length),
          String(throttled.length),
          session.endedBy.replace('-', ' '),
          clocksText(session).join(', ') || 'not sampled',
        ],
      };
    }),
  };
}

/** What exactly ran, each artefact once, and its source where that is known. */
function artefactTable(result: AnyResult): Table | undefined {
  if (result.kind !== 'bench' && result.kind !== 'profile') return undefined;
  const seen = new Set<string>();
  const all: readonly (ResultRow | ProfileRow)[] = result.rows;
  const sourceOf = (row: ResultRow | ProfileRow) => ('digests' in row ? row.digests?.source : undefined);
  const sources = all.some((row) => sourceOf(row) !== undefined);
  const rows = all.flatMap((row) => {
    const { id, package: owner, artefact, problem } = row;
    if (artefact === undefined) return [];
    const key = `${owner.name} ${id} ${artefact.sha256}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const { ranAs, compiler, sha256 } = artefact;
    const own = `${owner.name} ${owner.version}`;
    const cells = [id, own, shape(problem), ranAs, compiler, sha256, sourceOf(row) ?? '–'];
    return [{ cells: sources ? cells : cells.slice(0, -1) }];
  });
  const titles = ['kernel', 'package', 'first at', 'ran as', 'compiler', 'SHA-256', 'SHA-256 of the source'];
  return { columns: (sources ? titles : titles.slice(0, -1)).map((title) => ({ title })), rows };
}

function partOf({ file, result }: ReportInput, newId: (text: string) => string): Section {
  const sessions = 'sessions' in result ? (result.sessions ?? []) : [];
  const said = sessions.flatMap((session) =>
    sessionNotes(session).map((note) => `${shape(session.problem)}: ${note}`),
  );
  const blocks: Block[] = [
    ...table(`What made ${file}`, madeBy(result)),
    ...table(`Rounds and clocks of ${file}`, clocksTable(sessions)),
    ...list([...said, ...('notes' in result ? result.notes : [])]),
    ...table(`What ran for ${file}`, artefactTable(result)),
  ];
  return { id: newId(`provenance ${file}`), title: file, blocks };
}

/** What made the figures, file by file. */
export function provenanceSection(inputs: readonly ReportInput[], newId: (text: string) => string): Section {
  return {
    id: newId('provenance'),
    title: 'What made the figures',
    blocks: [],
    parts: inputs.map((input) => partOf(input, newId)),
  };
}
