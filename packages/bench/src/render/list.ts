import type { Discovery } from '../discover/kernel-package.js';
import type { ListedKernel } from '../discover/list-kernels.js';
import type { LeftOut } from '../discover/usable.js';
import { count } from './numbers.js';
import type { Style } from './style.js';
import { renderTable } from './table.js';
import { hang } from './text.js';

/** `ptx 80 90, cubin 90`; what a build made of a variant. */
export function builtText({
  library,
  open,
  built: { ptx, cubin },
}: Pick<ListedKernel, 'library' | 'open' | 'built'>): string {
  if (library) return 'library';
  if (open) return 'when loaded';
  const part = (format: string, arches: readonly string[]) =>
    arches.length > 0 ? [`${format} ${arches.join(' ')}`] : [];
  return [...part('ptx', ptx), ...part('cubin', cubin)].join(', ') || 'nothing';
}

const columns = [
  { title: 'kernel' },
  { title: 'based on' },
  { title: 'exactness' },
  { title: 'built', wrapTo: 10 },
  { title: 'change', wrapTo: 24 },
];

/** Lines about packages that could not be used or are not installed. */
export function problemLines({ broken, missing }: Discovery, style: Style, width: number): string[] {
  const lines = broken.flatMap(({ name, reason }) =>
    hang(`${style.red('not usable')}  ${name}: `, reason, width),
  );
  if (missing.length > 0) {
    lines.push(
      ...hang(style.yellow('not installed  '), `${missing.join(', ')} (npm install brings them)`, width),
    );
  }
  return lines;
}

/** Kernels that nobody named and that cannot be used here, with the reason of the first: it is the same for a library. */
export function leftOutLines(leftOut: readonly LeftOut[], width: number): string[] {
  const [first] = leftOut;
  if (first === undefined) return [];
  return hang(
    'left out  ',
    `${leftOut.map(({ kernel }) => kernel.kernel.name).join(', ')}. ${first.reason}`,
    width,
  );
}

/** Kernels under a heading for each package. */
export function renderList(
  discovery: Discovery,
  listed: readonly ListedKernel[],
  style: Style,
  width: number,
): string[] {
  const lines: string[] = [];
  for (const owner of discovery.packages) {
    const rows = listed
      .filter((kernel) => kernel.package === owner.name)
      .map((kernel) => ({
        cells: [kernel.id, kernel.basedOn ?? '–', kernel.exactness, builtText(kernel), kernel.change],
      }));
    lines.push(`${style.cyan(owner.name)} ${owner.version} · ${count(rows.length, 'kernel')}`);
    lines.push(...renderTable({ columns, rows }, width, style), '');
  }
  if (discovery.kernels.length === 0) {
    lines.push(
      ...hang(
        '',
        `No kernel was found from ${discovery.root ?? 'this folder, which has no package.json in it or above it'}. Add a kernel package to its dependencies.`,
        width,
      ),
    );
  }
  lines.push(...problemLines(discovery, style, width));
  while (lines.at(-1) === '') lines.pop();
  return lines;
}
