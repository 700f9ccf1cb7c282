import { figure } from '../../render/numbers.js';
import { nameOf } from '../../render/rows.js';
import type { ResultRow } from '../../result/schema.js';
import type { BarGroup } from '../charts/bars.js';
import type { Figure } from '../model.js';

/** Classes that are drawn; what is left is in the table. */
const MOST_CLASSES = 8;
/** Kernels that are drawn. */
const MOST_KERNELS = 8;

/** Instructions of each class for each FFMA, of all launches of a row; undefined where it has no FFMAs. */
function perFfma({ counters }: ResultRow): ReadonlyMap<string, number> | undefined {
  const counts = new Map<string, number>();
  for (const { instructions } of counters?.launches ?? [])
    for (const [kind, count] of Object.entries(instructions))
      counts.set(kind, (counts.get(kind) ?? 0) + count);
  const ffmas = counts.get('ffma') ?? 0;
  if (ffmas === 0) return undefined;
  return new Map(
    [...counts].filter(([kind]) => kind !== 'ffma').map(([kind, count]) => [kind, count / ffmas]),
  );
}

/** What kernels execute beside their multiply-adds, as the emulator counted it; undefined where it counted nothing. */
export function countedFigure(id: string, at: string, rows: readonly ResultRow[]): Figure | undefined {
  const counted = rows.flatMap((row) => {
    const kinds = perFfma(row);
    return kinds === undefined ? [] : [{ name: nameOf(row, rows), kinds }];
  });
  if (counted.length === 0) return undefined;
  const most = (kind: string) => Math.max(...counted.map(({ kinds }) => kinds.get(kind) ?? 0));
  const kinds = [...new Set(counted.flatMap((one) => [...one.kinds.keys()]))].sort(
    (x, y) => most(y) - most(x) || (x < y ? -1 : 1),
  );
  const drawn = counted.slice(-MOST_KERNELS);
  const total = (own: ReadonlyMap<string, number>) => [...own.values()].reduce((sum, one) => sum + one, 0);
  const groups = drawn.map(({ name, kinds: own }): BarGroup => {
    const worst = [...own].sort(([, x], [, y]) => y - x)[0]?.[0];
    return {
      title: name,
      says: `${figure(total(own))} for each FFMA in all`,
      bars: kinds.slice(0, MOST_CLASSES).map((kind) => {
        const value = own.get(kind) ?? 0;
        return { name: kind, value, text: figure(value), strong: kind === worst };
      }),
    };
  });
  const left = counted.length - drawn.length;
  return {
    id: `${id}-counted`,
    title: `What is executed beside each FFMA at ${at}, by class`,
    says:
      `Instructions of the PTX, counted by the emulator. ` +
      `${drawn.map(({ name, kinds: own }) => `${name}: ${figure(total(own))}`).join('; ')}.` +
      (left > 0 ? ` The last ${drawn.length} kernels are drawn; all are in the table.` : ''),
    chart: { kind: 'bars', oneScale: true, groups },
    table: {
      columns: [{ title: 'class' }, ...counted.map(({ name }) => ({ title: name, align: 'right' as const }))],
      rows: kinds.map((kind) => ({
        cells: [kind, ...counted.map((one) => figure(one.kinds.get(kind) ?? 0))],
      })),
    },
    detail: true,
  };
}
