import type { KernelDiff } from '../inspect/diff.js';
import { type DiffLine, withContext } from '../inspect/line-diff.js';
import type { Style } from './style.js';
import { renderTable } from './table.js';
import { hang, tame, wrap } from './text.js';

const CONTEXT = 3;
const MOST_CHANGES = 16;
const signs: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '-', added: '+' };

function sourceLines({ source }: KernelDiff, style: Style): string[] {
  const paint = { same: (text: string) => text, removed: style.red, added: style.green };
  return withContext(source, CONTEXT).map((line) =>
    line === null ? style.dim('…') : paint[line.kind](`${signs[line.kind]}${tame(line.text)}`),
  );
}

/** The source that changed and the instructions that changed with it; lines of source are not broken. */
export function renderKernelDiff(diff: KernelDiff, style: Style, width: number): string[] {
  const { id, base, ptx, noPtx } = diff;
  const changed = (ptx ?? []).filter((change) => change.base !== change.own);
  const rows = changed.slice(0, MOST_CHANGES).map(({ instruction, base: before, own }) => ({
    cells: [
      instruction,
      String(before),
      String(own),
      own > before ? `+${own - before}` : String(own - before),
    ],
  }));
  const right = (title: string) => ({ title, align: 'right' as const });
  const columns = [
    { title: 'PTX instruction' },
    right(base.id.split('_')[0] ?? base.id),
    right(id.split('_')[0] ?? id),
    right('change'),
  ];
  return [
    ...hang(`${style.bold(id)}  `, `beside ${base.id}, which it is based on`, width),
    '',
    ...sourceLines(diff, style),
    '',
    ...(noPtx === undefined ? [] : wrap(`No PTX to compare: ${noPtx}`, width)),
    ...(ptx === undefined
      ? []
      : rows.length === 0
        ? ['The instructions of the PTX are the same, one for one.']
        : renderTable({ columns, rows }, width, style)),
    ...(changed.length > MOST_CHANGES ? [style.dim(`and ${changed.length - MOST_CHANGES} others`)] : []),
    ...(ptx === undefined ? [] : [style.dim('As they stand in the PTX, however often they run.')]),
  ];
}
