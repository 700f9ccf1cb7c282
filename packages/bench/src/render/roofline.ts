import type { RooflinePoint, RooflineResult } from '../roofline/schema.js';
import { shape } from './numbers.js';
import type { Style } from './style.js';
import { renderMarkdown, renderTable, type Table } from './table.js';
import { wrap } from './text.js';

const share = (value: number | undefined) => (value === undefined ? '–' : `${(100 * value).toFixed(1)} %`);

const tflops = (value: number) => `${value.toFixed(1)} TFLOP/s`;

function gbps(value: number): string {
  return value >= 1000 ? `${(value / 1000).toFixed(2)} TB/s` : `${value.toFixed(0)} GB/s`;
}

const right = (title: string) => ({ title, align: 'right' as const });

function ceilingTable({ compute, memory, nominalTflops }: RooflineResult): Table {
  const nominal = nominalTflops === undefined ? [] : [right('of nominal')];
  const rows = [
    ...compute.map(({ name, title, tflops: rate, ofNominal }) => [
      name,
      title,
      tflops(rate),
      share(ofNominal),
    ]),
    ...memory.map(({ name, title, gbps: rate }) => [name, title, gbps(rate), '']),
  ];
  return {
    columns: [{ title: 'ceiling' }, { title: 'what', wrapTo: 20 }, right('reached'), ...nominal],
    rows: rows.map((cells) => ({ cells: cells.slice(0, 3 + nominal.length) })),
  };
}

function pointTable(points: readonly RooflinePoint[]): Table {
  const names = (kernel: string) =>
    new Set(points.filter((one) => one.kernel === kernel).map(({ id }) => id)).size;
  return {
    columns: [
      { title: shape((points[0] as RooflinePoint).problem) },
      right('TFLOP/s'),
      right('FLOP/byte'),
      right('roof'),
      right('of roof'),
      { title: 'limited by' },
      { title: 'bytes' },
    ],
    rows: points.map(({ id, kernel, tflops: speed, intensity, roofTflops, ofRoof, bound, dram }) => ({
      cells: [
        names(kernel) > 1 ? id : kernel,
        speed.toFixed(1),
        intensity.toFixed(intensity >= 100 ? 0 : 1),
        roofTflops.toFixed(1),
        share(ofRoof),
        bound === 'compute' ? 'FFMAs' : 'DRAM',
        dram.source === 'ncu' ? 'counted' : 'modelled',
      ],
    })),
  };
}

function tablesOf(result: RooflineResult): Table[] {
  const sizes = [...new Set(result.points.map(({ problem }) => shape(problem)))];
  return [
    ceilingTable(result),
    ...sizes.map((size) => pointTable(result.points.filter(({ problem }) => shape(problem) === size))),
  ];
}

function headline({ device, protocol: { parameters }, ridge }: RooflineResult): string {
  const driver = device.details.driver === undefined ? '' : `, driver ${device.details.driver}`;
  return (
    `${device.name} (${device.arch}${driver}) · ${parameters.rounds} rounds of ${parameters.launches} launches · ` +
    `the roofs meet at ${ridge.toFixed(1)} FLOP/byte`
  );
}

function footNotes({ points, notes }: RooflineResult): string[] {
  const modelled = points.some(({ dram }) => dram.source === 'model');
  return [
    ...(modelled ? ["Modelled bytes are those of the emulator's L2 cache: a model, not a measurement."] : []),
    ...notes,
  ];
}

/** Ceilings, and a table of kernels for each size, at most `width` columns wide. */
export function renderRoofline(result: RooflineResult, style: Style, width: number): string[] {
  const tables = tablesOf(result).flatMap((table) => ['', ...renderTable(table, width, style)]);
  const foot = footNotes(result).flatMap((text) => wrap(text, width));
  return [
    ...wrap(headline(result), width),
    ...tables,
    ...(foot.length > 0 ? [''] : []),
    ...foot.map((line) => style.dim(line)),
  ];
}

/** The same as GitHub Markdown. */
export function renderRooflineMarkdown(result: RooflineResult): string[] {
  const tables = tablesOf(result).flatMap((table) => ['', ...renderMarkdown(table)]);
  return [headline(result), ...tables, ...footNotes(result).flatMap((text) => ['', text])];
}
