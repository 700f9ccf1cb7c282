import { existsSync, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { sentenceOf } from '../error-sentence.js';
import type { AnyResult } from '../result/kinds.js';
import { readAnyResult } from '../result/read.js';
import { UsageError } from '../usage-error.js';
import type { Warning } from './model.js';

/** A result file and where it was. */
export interface ReportInput {
  /** As it was named, or as its folder was, and its name. */
  readonly file: string;
  readonly result: AnyResult;
}

export interface ReportInputs {
  readonly inputs: readonly ReportInput[];
  /** Files of a folder that are no results, with the reason. */
  readonly leftOut: readonly Warning[];
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory();

async function readFolder(folder: string): Promise<ReportInputs> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  if (names.length === 0)
    throw new UsageError(`There is no result file in ${folder}: nothing there is named *.json.`, {
      remedy: 'Result files are written by --json, of ffma bench and other commands.',
    });
  const inputs: ReportInput[] = [];
  const leftOut: Warning[] = [];
  for (const name of names) {
    const file = join(folder, name);
    try {
      inputs.push({ file, result: await readAnyResult(file) });
    } catch (error) {
      leftOut.push({ file, text: `It is left out: ${sentenceOf(error)}` });
    }
  }
  return { inputs, leftOut };
}

/**
 * Reads result files, and those of folders, in the order of their names. A file that is named twice is read once.
 * @throws UsageError where a named file is no result, or a folder holds none
 */
export async function readReportInputs(paths: readonly string[]): Promise<ReportInputs> {
  const inputs: ReportInput[] = [];
  const leftOut: Warning[] = [];
  const seen = new Set<string>();
  for (const path of paths) {
    const found = isFolder(path)
      ? await readFolder(path)
      : { inputs: [{ file: path, result: await readAnyResult(path) }], leftOut: [] };
    if (found.inputs.length === 0)
      throw new UsageError(`There is no result file in ${path}. ${found.leftOut[0]?.text ?? ''}`);
    for (const input of found.inputs) {
      const real = realpathSync(input.file);
      if (!seen.has(real)) inputs.push(input);
      seen.add(real);
    }
    leftOut.push(...found.leftOut);
  }
  return { inputs, leftOut };
}
