import { bytes, figure, shape } from '../../render/numbers.js';
import type { Table } from '../../render/table.js';
import { tenths } from '../../render/times.js';
import type { RooflinePoint, RooflineResult } from '../../roofline/schema.js';
import type { Figure, Section } from '../model.js';
import { list, table } from './blocks.js';
import type { SectionContext } from './context.js';

function pointName({ id, kernel, problem }: RooflinePoint, all: readonly RooflinePoint[]): string {
  const ids = new Set(all.filter((one) => one.kernel === kernel).map((one) => one.id));
  return `${ids.size > 1 ? id : kernel}, ${shape(problem)}`;
}

const right = (title: string) => ({ title, align: 'right' as const });

function pointsTable({ points }: RooflineResult): Table {
  return {
    columns: [
      { title: 'kernel' },
      right('FLOP/byte'),
      right('TFLOP/s'),
      right('roof, TFLOP/s'),
      right('% of roof'),
      { title: 'bound by' },
      right('DRAM read'),
      right('written'),
      { title: 'bytes by' },
    ],
    rows: points.map((point) => ({
      cells: [
        pointName(point, points),
        figure(point.intensity),
        figure(point.tflops),
        figure(point.roofTflops),
        tenths(point.ofRoof),
        point.bound,
        bytes(point.dram.readBytes),
        bytes(point.dram.writtenBytes),
        point.dram.source === 'model' ? `${point.dram.by}, a model` : point.dram.by,
      ],
    })),
  };
}

function ceilingsTable({ compute, memory }: RooflineResult): Table {
  return {
    columns: [{ title: 'ceiling' }, right('measured'), right('% of nominal')],
    rows: [
      ...compute.map(({ title, tflops, ofNominal }) => ({
        cells: [title, `${figure(tflops)} TFLOP/s`, ofNominal === undefined ? '–' : tenths(ofNominal)],
      })),
      ...memory.map(({ title, gbps }) => ({ cells: [title, `${figure(gbps)} GB/s`, '–'] })),
    ],
  };
}

function rooflineFigure(id: string, result: RooflineResult): Figure {
  const { compute, memory, points, ridge } = result;
  const nearest = [...points].sort((x, y) => y.ofRoof - x.ofRoof)[0];
  const best =
    nearest === undefined
      ? ''
      : ` Nearest to its roof: ${pointName(nearest, points)}, ${tenths(nearest.ofRoof)} % of it.`;
  const modelled = points.some(({ dram }) => dram.source === 'model');
  return {
    id: `${id}-roofline`,
    title: `Roofline of ${result.device.name}`,
    says:
      `The roofs were measured here; they meet at ${figure(ridge)} FLOP for each byte.${best}` +
      (modelled ? ' Hollow marks: bytes of a model of the L2 cache, not measured.' : ''),
    chart: {
      kind: 'roofline',
      compute: compute.map(({ title, tflops }) => ({ name: title, tflops })),
      memory: memory.map(({ title, gbps }) => ({ name: title, gbps })),
      points: points.map((point) => ({
        name: pointName(point, points),
        ...(point.role === 'reference' ? { reference: true as const } : {}),
        intensity: point.intensity,
        tflops: point.tflops,
        modelled: point.dram.source === 'model',
      })),
    },
    table: pointsTable(result),
  };
}

/** What the device can do, measured, and how near kernels come. */
export function rooflineSection(result: RooflineResult, { file, newId }: SectionContext): Section {
  const id = newId(file.replace(/\.json$/, ''));
  return {
    id,
    title: `${file}: roofline of ${result.device.name}`,
    blocks: [
      { kind: 'figure', figure: rooflineFigure(id, result) },
      ...table('Ceilings', ceilingsTable(result)),
      ...list(result.notes),
    ],
  };
}
