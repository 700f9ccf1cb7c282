import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { UnsupportedError } from '@ffma/core';
import { sentenceOf } from '../../error-sentence.js';
import type { Picture } from './svg.js';

/** What a browser that can draw without a window is called, the likeliest first. */
const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chrome.exe',
];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium or Chrome that `FFMA_CHROMIUM` names, or that is installed; undefined where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.FFMA_CHROMIUM) return isProgram(env.FFMA_CHROMIUM) ? env.FFMA_CHROMIUM : undefined;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...folders.flatMap((folder) => names.map((name) => join(folder, name))), ...places].find(isProgram);
}

/** @throws UnsupportedError where there is no browser to draw with */
export function needChromium(env: NodeJS.ProcessEnv = process.env): string {
  const found = findChromium(env);
  if (found !== undefined) return found;
  const why =
    env.FFMA_CHROMIUM === undefined || env.FFMA_CHROMIUM === ''
      ? 'neither Chromium nor Chrome was found on the PATH'
      : `FFMA_CHROMIUM names ${env.FFMA_CHROMIUM}, which is no program`;
  throw new UnsupportedError(`PNG is drawn by a browser, but ${why}.`, {
    remedy: 'Install Chromium, set FFMA_CHROMIUM to its path, or use --format svg.',
  });
}

/** Pixels for each of the picture's. */
const SCALE = 2;
const TIMEOUT_MS = 60_000;

const options = [
  '--headless',
  // Of a picture that was made here there is nothing to be kept apart from; in a container the sandbox cannot start.
  '--no-sandbox',
  '--disable-gpu',
  '--hide-scrollbars',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  `--force-device-scale-factor=${SCALE}`,
];

/**
 * Draws a picture as PNG, two pixels for each of its own.
 * @param path where it is written
 * @throws UnsupportedError where the browser does not draw it
 */
export async function drawPng(
  chromium: string,
  { svg, width, height }: Picture,
  path: string,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ffma-chart-'));
  try {
    const page = join(folder, 'chart.html');
    writeFileSync(
      page,
      `<!doctype html><meta charset="utf-8"><style>body{margin:0}svg{display:block}</style>${svg}`,
    );
    const args = [
      ...options,
      `--user-data-dir=${join(folder, 'profile')}`,
      `--window-size=${width},${height}`,
      `--screenshot=${path}`,
      `file://${page}`,
    ];
    await new Promise<void>((resolve, reject) => {
      execFile(chromium, args, { timeout: TIMEOUT_MS }, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new UnsupportedError(`${chromium} did not draw ${path}: ${sentenceOf(error).split('\n')[0]}.`, {
      cause: error,
      remedy: 'Use --format svg.',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
