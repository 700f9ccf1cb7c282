import { type ArrowsChart, drawArrows } from './arrows.js';
import { type BarsChart, drawBars } from './bars.js';
import { type ChangesChart, drawChanges } from './changes.js';
import type { ChartWidth, Drawing } from './drawing.js';
import { drawGrids, type GridsChart } from './grids.js';
import { drawLines, type LinesChart } from './lines.js';
import { drawRoofline, type RooflineChart } from './roofline.js';
import { drawSteps, type StepsChart } from './steps.js';
import { drawStrip, type StripChart } from './strip.js';

/** What a chart draws. Plain data: all of it is in the report before anything is drawn. */
export type Chart =
  | ArrowsChart
  | BarsChart
  | ChangesChart
  | GridsChart
  | LinesChart
  | RooflineChart
  | StepsChart
  | StripChart;

/** The chart as SVG text, in CSS variables for colours. */
export function drawChart(on: Drawing, chart: Chart, width: ChartWidth): string {
  switch (chart.kind) {
    case 'arrows':
      return drawArrows(on, chart, width);
    case 'bars':
      return drawBars(on, chart, width);
    case 'changes':
      return drawChanges(on, chart, width);
    case 'grids':
      return drawGrids(on, chart, width);
    case 'lines':
      return drawLines(on, chart, width);
    case 'roofline':
      return drawRoofline(on, chart, width);
    case 'steps':
      return drawSteps(on, chart, width);
    case 'strip':
      return drawStrip(on, chart, width);
  }
}
