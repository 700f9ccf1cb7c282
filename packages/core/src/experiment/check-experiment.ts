import { ArgumentError } from '../errors.js';
import { chartKinds, rowsOfChart } from './charts.js';
import type { Experiment, ExperimentRow, ExperimentSize } from './experiment.js';
import { rowsAt, sameSize, sizeLabel, toSizes } from './sizes.js';

const NAME = /^[a-z0-9][a-z0-9-]*$/;

function checkSize(what: string, size: ExperimentSize): void {
  const { m, n, k } = toSizes(size);
  if ([m, n, k].every((extent) => Number.isInteger(extent) && extent >= 1)) return;
  throw new ArgumentError(`${what} must have extents from 1 on, but has ${m}×${n}×${k}.`);
}

function checkRow(experiment: Experiment, row: ExperimentRow): void {
  const what = `Row ${row.name} of experiment ${experiment.name}`;
  const named = typeof row.kernel === 'string' ? [row.kernel] : row.kernel;
  if (Array.isArray(named) && named.length === 0) throw new ArgumentError(`${what} must name a kernel.`);
  if (row.specialised !== undefined && named !== undefined && !Array.isArray(named)) {
    throw new ArgumentError(`${what} is the reference, of which no variants are chosen by specialised.`);
  }
  for (const size of row.sizes ?? []) {
    checkSize(what, size);
    if (!experiment.sizes.some((own) => sameSize(own, size))) {
      throw new ArgumentError(`${what} has the size ${sizeLabel(size)}, which the experiment does not have.`);
    }
  }
  for (const { size, value, unit } of row.published ?? []) {
    if (!rowsAt(experiment, size).includes(row) || !experiment.sizes.some((own) => sameSize(own, size))) {
      throw new ArgumentError(
        `${what} has a published figure at ${sizeLabel(size)}, where it is not measured.`,
      );
    }
    if (!(value > 0 && Number.isFinite(value))) {
      throw new ArgumentError(`${what} has a published figure of ${value} ${unit}; it must be over 0.`);
    }
  }
}

/** Checks an experiment, whoever wrote it in whatever language. @throws ArgumentError */
export function checkExperiment(experiment: Experiment): void {
  const { name, question, sizes, rows, pairs = [], charts = [], rounds = 15 } = experiment;
  if (!NAME.test(name)) {
    throw new ArgumentError(`An experiment's name must match ${NAME}, but is '${String(name)}'.`);
  }
  if (typeof question !== 'string' || !question.endsWith('?')) {
    throw new ArgumentError(`The question of experiment ${name} must be a sentence that ends in '?'.`);
  }
  if (typeof experiment.conclude !== 'function') {
    throw new ArgumentError(`conclude of experiment ${name} must be a function.`);
  }
  if (sizes.length === 0 || rows.length === 0) {
    throw new ArgumentError(`Experiment ${name} must have sizes and rows.`);
  }
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new ArgumentError(`rounds of experiment ${name} must be an integer from 1 on, but is ${rounds}.`);
  }
  for (const size of sizes) checkSize(`A size of experiment ${name}`, size);
  const names = rows.map((row) => row.name);
  const twice = names.find((own, i) => names.indexOf(own) !== i);
  if (twice !== undefined) throw new ArgumentError(`Two rows of experiment ${name} are called ${twice}.`);
  for (const row of rows) checkRow(experiment, row);
  for (const missing of pairs.flatMap(({ of, to }) => [of, to]).filter((own) => !names.includes(own))) {
    throw new ArgumentError(
      `A pair of experiment ${name} speaks of the row '${missing}', which it does not have.`,
    );
  }
  for (const chart of charts) {
    if (!chartKinds.includes(chart.kind)) {
      throw new ArgumentError(
        `A chart of experiment ${name} must be one of ${chartKinds.join(', ')}, but is '${String(chart.kind)}'.`,
      );
    }
    const missing = rowsOfChart(chart).find((own) => !names.includes(own));
    if (missing === undefined) continue;
    throw new ArgumentError(
      `A chart (${chart.kind}) of experiment ${name} speaks of the row '${missing}', which it does not have.`,
    );
  }
  for (const size of sizes) {
    if (rowsAt(experiment, size).length > 0) continue;
    throw new ArgumentError(`Experiment ${name} has no row at ${sizeLabel(size)}.`);
  }
}
