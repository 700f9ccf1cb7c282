import type { ProfileResult, ProfileRow } from '../../profile/schema.js';
import { shape } from '../../render/numbers.js';
import { profiledName, profileNotes, profileSizes, profileTables } from '../../render/profile.js';
import { mainLaunch, opcodesFigure, schedulersFigure, stallsFigure } from '../figures/profiled.js';
import type { Block, Section } from '../model.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

function sizePart(
  result: ProfileResult,
  rows: readonly ProfileRow[],
  of: string,
  { newId }: SectionContext,
): Section {
  const at = shape((rows[0] as ProfileRow).problem);
  const id = newId(`${of} ${at}`);
  const profiled = rows.flatMap((row) => {
    const launch = mainLaunch(row);
    return launch === undefined ? [] : [{ name: profiledName(row, rows), launch }];
  });
  const figures = [schedulersFigure, stallsFigure, opcodesFigure].flatMap(
    (make) => make(id, at, profiled) ?? [],
  );
  const refused = rows.flatMap((row) =>
    row.status === 'profiled' ? [] : [`${profiledName(row, rows)}: ${row.status}. ${row.reason ?? ''}`],
  );
  return {
    id,
    title: at,
    blocks: [
      ...figures.map((figure): Block => ({ kind: 'figure', figure })),
      ...profileTables(result, rows).flatMap(({ title, table: own }) => table(`${title} at ${at}`, own)),
      ...list(refused),
    ],
  };
}

/** What Nsight Compute counted: charts and tables of each size. */
export function profileSection(result: ProfileResult, context: SectionContext): Section {
  const { file, newId } = context;
  const { device, profiler, protocol } = result;
  const id = newId(file.replace(/\.json$/, ''));
  return {
    id,
    title: `${file}: what ${profiler.name} counted on ${device.name}`,
    blocks: [
      {
        kind: 'note',
        text: `One multiplication of each kernel, ${protocol.cache} caches. What takes time under a profiler is not set beside a benchmark's times.`,
      },
      ...list(profileNotes(result)),
    ],
    parts: profileSizes(result.rows).map((rows) => sizePart(result, rows, id, context)),
  };
}
