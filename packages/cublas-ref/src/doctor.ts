import { type CublasReport, findCublas } from './library/find-cublas.js';
import { describeOverride } from './math-overrides.js';

/** What `ffma doctor` shows of a package: a title, and sentences. */
export interface DoctorSection {
  readonly title: string;
  readonly lines: readonly string[];
}

/** A report as lines: which library it is, or every place that was tried, and what changes its arithmetic. */
export function cublasSection({ found, path, version, attempts, overrides }: CublasReport): DoctorSection {
  const library = found ? [`${version}, ${path}`] : ['not available.', ...attempts];
  return { title: 'cuBLAS', lines: [...library, ...overrides.map((each) => `${describeOverride(each)}.`)] };
}

/** What `ffma doctor` calls. */
export async function doctor(): Promise<readonly DoctorSection[]> {
  return [cublasSection(await findCublas())];
}
