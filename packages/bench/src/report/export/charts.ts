import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ArgumentError } from '@ffma/core';
import { sentenceOf } from '../../error-sentence.js';
import { writeAtomically } from '../../result/output.js';
import type { OnStep } from '../../step.js';
import { drawing } from '../charts/drawing.js';
import type { ThemeName } from '../charts/palette.js';
import { figuresOf, type Report } from '../model.js';
import { drawPng, needChromium } from './chromium.js';
import { renderPicture } from './svg.js';

export const pictureFormats = ['svg', 'png'] as const;
export type PictureFormat = (typeof pictureFormats)[number];

export interface ChartsOptions {
  /** Default: svg. PNG takes a Chromium. */
  readonly format?: PictureFormat | undefined;
  /** Default: light. */
  readonly theme?: ThemeName | undefined;
  readonly onStep?: OnStep | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** File name of a chart: the same for the same report. */
export const pictureName = (id: string, { format = 'svg', theme = 'light' }: ChartsOptions) =>
  `${id}.${theme}.${format}`;

/**
 * Writes every chart of a report to a folder, each as a picture of its own; the folder is made where there is none.
 * @returns the files written
 * @throws UnsupportedError where PNG is asked for without a browser, before anything is written; ArgumentError
 */
export async function writeCharts(
  report: Report,
  folder: string,
  options: ChartsOptions = {},
): Promise<string[]> {
  const { format = 'svg', theme = 'light', onStep, env } = options;
  const chromium = format === 'png' ? needChromium(env) : '';
  const figures = figuresOf(report);
  const on = await drawing();
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw new ArgumentError(`${folder} cannot be made: ${sentenceOf(error)}.`, { cause: error });
  });
  const files: string[] = [];
  for (const [done, figure] of figures.entries()) {
    const path = join(folder, pictureName(figure.id, options));
    onStep?.({ done, total: figures.length, label: figure.title });
    const picture = renderPicture(on, figure, theme);
    if (format === 'svg') await writeAtomically(path, picture.svg);
    else await drawPng(chromium, picture, path);
    files.push(path);
  }
  return files;
}
