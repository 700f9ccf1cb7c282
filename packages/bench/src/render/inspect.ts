import type { InspectedLaunch, InspectedPlan, Inspection } from '../inspect/inspection.js';
import { bytes, figure, percent, shape } from './numbers.js';
import type { Style } from './style.js';
import { renderTable } from './table.js';
import { hang } from './text.js';

function needsText({ multiples = {}, exactly, alignment, arch }: Inspection['needs']): string {
  const parts = Object.entries(multiples).map(([name, multiple]) => `${name} a multiple of ${multiple}`);
  if (exactly !== undefined) parts.unshift(`m×n×k of ${shape(exactly)}`);
  if (alignment !== undefined) parts.push(`rows aligned to ${alignment} bytes`);
  if (arch !== undefined) parts.push(`sm_${arch} or newer`);
  return parts.join(', ') || 'nothing: any m, n and k';
}

function entriesText(values: Readonly<Record<string, unknown>>): string {
  return (
    Object.entries(values)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ') || 'none'
  );
}

function occupancyText({ occupancy, waves, resources }: InspectedLaunch): string {
  const { blocksPerSm, warpsPerSm, share, limitedBy } = occupancy;
  const registers = `${resources.registers} registers a thread`;
  const told = resources.estimated ? `${registers} at most, estimated from the launch bounds` : registers;
  const filled = waves === undefined ? '' : `; ${figure(waves)} waves`;
  const held = `${percent(share)}: ${blocksPerSm} ${blocksPerSm === 1 ? 'block' : 'blocks'}, ${warpsPerSm} warps per SM, limited by ${limitedBy.join(' and ')}${filled}`;
  return `${told}; ${resources.estimated ? 'estimated occupancy' : 'occupancy'} ${held}`;
}

function sharedText({ sharedBytes, staticSharedBytes, dynamicSharedBytes }: InspectedLaunch): string {
  if (dynamicSharedBytes === 0) return bytes(sharedBytes);
  return staticSharedBytes === 0
    ? `${bytes(sharedBytes)} dynamic`
    : `${bytes(sharedBytes)} (${bytes(staticSharedBytes)} static, ${bytes(dynamicSharedBytes)} dynamic)`;
}

function planLines(plan: InspectedPlan, width: number, label: (text: string) => string): string[] {
  const at = `${shape(plan.problem)} on ${plan.device.name} (${plan.device.arch})`;
  if (plan.refusal !== undefined) return hang(label('plan'), `${at}: refused. ${plan.refusal}`, width);
  const lines = hang(label('plan'), at, width);
  for (const [i, { grid, block }] of (plan.plan?.launches ?? []).entries()) {
    const launch = plan.launches[i] as InspectedLaunch;
    const cluster = plan.plan?.launches[i]?.cluster;
    const extents = `grid ${grid.join('×')}, block ${block.join('×')}${cluster ? `, cluster ${cluster.join('×')}` : ''}`;
    lines.push(
      ...hang(label(''), `${i + 1}. ${launch.symbol}: ${extents}, ${sharedText(launch)} shared`, width),
    );
    lines.push(...hang(`${label('')}   `, occupancyText(launch), width));
  }
  for (const { name, byteLength } of plan.plan?.scratch ?? []) {
    lines.push(...hang(label(''), `scratch ${name}: ${bytes(byteLength)}`, width));
  }
  return lines;
}

/** A row for the file with what its entry `main` uses, and one for each other entry. */
function artefactRows({
  format,
  arch,
  compiler,
  sha256,
  symbols,
  resources,
}: Inspection['artefacts'][number]) {
  const used = (entry: string) => {
    const own = resources?.[entry];
    return [figure(own?.registers), figure(own?.sharedBytes), figure(own?.spillBytes)];
  };
  const others = Object.keys(symbols).filter((entry) => entry !== 'main');
  return [
    { cells: [`${format} ${arch}`, compiler, ...used('main'), sha256.slice(0, 12)] },
    ...others.map((entry) => ({ cells: ['', `  ${entry}`, ...used(entry), ''] })),
  ];
}

const artefactColumns = [
  { title: 'built' },
  { title: 'compiler' },
  { title: 'registers', align: 'right' },
  { title: 'shared', align: 'right' },
  { title: 'spills', align: 'right' },
  { title: 'sha256' },
] as const;

export function renderInspection(found: Inspection, style: Style, width: number): string[] {
  const label = (text: string) => style.dim(text.padEnd(11));
  const lines = [`${style.bold(found.id)}  ${style.cyan(found.package.name)} ${found.package.version}`];
  const add = (name: string, text: string) => lines.push(...hang(label(name), text, width));
  add('change', found.change);
  if (found.lesson !== undefined) add('lesson', found.lesson);
  add('based on', found.basedOn ?? 'nothing');
  add('exactness', found.exactness);
  if (found.open) add('sizes', 'those of a problem are compiled in when it is loaded');
  add('parameters', entriesText(found.params));
  if (found.derived !== undefined) add('derived', entriesText({ ...found.derived }));
  for (const [i, sentence] of found.rules.entries()) add(i === 0 ? 'rules' : '', sentence);
  add('needs', needsText(found.needs));
  for (const [i, sentence] of found.claims.entries()) add(i === 0 ? 'claims' : '', sentence);
  if (found.variants.length > 1)
    add('variants', found.variants.map(({ name, id }) => `${name} (${id})`).join(', '));
  add('symbols', entriesText(found.symbols));
  if (found.plan !== undefined) lines.push(...planLines(found.plan, width, label));
  const rows = found.artefacts.flatMap(artefactRows);
  if (rows.length > 0) lines.push('', ...renderTable({ columns: artefactColumns, rows }, width, style));
  return lines;
}
