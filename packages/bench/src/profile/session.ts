import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sentenceOf } from '../error-sentence.js';
import { ProfilerFailedError, ProfilerOutputError, UnknownMetricsError } from './errors.js';
import type { LaunchReport } from './launch.js';
import { askedMetrics } from './metrics.js';
import { type Ncu, type NcuRequest, runNcu } from './ncu.js';
import { type NcuLaunch, parseRawPage } from './ncu-page.js';
import { programOf } from './program.js';
import type { ProfileTask } from './task.js';

export interface SessionOptions {
  readonly ncu: Ncu;
  readonly env: NodeJS.ProcessEnv;
  /** Folder from which kernels are found. */
  readonly cwd: string | undefined;
  /** Metrics that this ncu is thought to have. */
  readonly known: readonly string[];
  readonly cache: 'cold' | 'warm';
  readonly warmUps: number;
  readonly device: 'cuda' | 'emulator';
  readonly compile: boolean | undefined;
  readonly timeoutMs: number;
  readonly abort: AbortSignal | undefined;
}

/** What came of a task. */
export type ProfileOutcome =
  | {
      readonly status: 'profiled';
      readonly launches: readonly NcuLaunch[];
      readonly report: LaunchReport;
      /** Metrics that this ncu does not have. */
      readonly unknown: ReadonlySet<string>;
    }
  | { readonly status: 'refused' | 'failed'; readonly reason: string; readonly report?: LaunchReport };

/** What `ffma launch` wrote: what it did, or why it could not. */
type Written = LaunchReport | { readonly error: { readonly code: string; readonly message: string } };

/** The cheapest metric: a trial run counts launches, not what they do. */
const CHEAP = ['launch__registers_per_thread'];

/** Runs ncu for one task after the other, and remembers what it learns about the ncu that is here. */
export class ProfileSession {
  readonly #options: SessionOptions;
  readonly #unknown: Set<string>;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#unknown = new Set(askedMetrics.filter((name) => !options.known.includes(name)));
  }

  /** What was not asked for, as sentences. */
  get notes(): string[] {
    const { ncu } = this.#options;
    return this.#unknown.size === 0
      ? []
      : [`ncu ${ncu.version} does not have ${[...this.#unknown].sort().join(', ')} for this GPU.`];
  }

  /** @throws UnavailableError where nothing can be profiled here */
  async run(task: ProfileTask): Promise<ProfileOutcome | 'aborted'> {
    if (task.refusal !== undefined) return { status: 'refused', reason: task.refusal };
    const folder = await mkdtemp(join(tmpdir(), 'ffma-profile-'));
    try {
      return await this.#profile(task, join(folder, 'report.json'));
    } catch (error) {
      if (this.#options.abort?.aborted === true) return 'aborted';
      if (error instanceof ProfilerFailedError || error instanceof ProfilerOutputError)
        return { status: 'failed', reason: sentenceOf(error) };
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #profile(task: ProfileTask, report: string): Promise<ProfileOutcome> {
    const { warmUps } = this.#options;
    // A library does not say what it launches: a run without warm-up shows it.
    const trial =
      task.symbols === undefined ? await this.#ncu(task, report, 0, { metrics: CHEAP }) : undefined;
    if (trial !== undefined && 'status' in trial) return trial;
    const names = task.symbols ?? trial?.launches.map(({ kernel }) => kernel) ?? [];
    const found = await this.#ncu(task, report, warmUps, {
      symbols: task.symbols && [...new Set(task.symbols)],
      skip: warmUps * names.length,
      count: names.length,
    });
    if ('status' in found) return found;
    const seen = found.launches.map(({ kernel }) => kernel);
    if (seen.length !== names.length || names.some((name, i) => !isCalled(seen[i] as string, name))) {
      const what = seen.join(', ') || 'nothing';
      return { status: 'failed', reason: `ncu profiled ${what}, where ${names.join(', ')} is launched.` };
    }
    return { status: 'profiled', ...found, unknown: this.#unknown };
  }

  /** Runs ncu, again without the metrics that it turns out not to have. */
  async #ncu(
    task: ProfileTask,
    report: string,
    warmUps: number,
    request: Partial<NcuRequest>,
  ): Promise<{ launches: readonly NcuLaunch[]; report: LaunchReport } | ProfileOutcome> {
    const { ncu, env, cwd, cache, compile, device, timeoutMs, abort } = this.#options;
    const program = programOf(task, { warmUps, compile, report, device });
    for (;;) {
      const metrics = request.metrics ?? askedMetrics.filter((name) => !this.#unknown.has(name));
      await rm(report, { force: true });
      try {
        const own = { ...env, LC_ALL: 'C', ...(cwd === undefined ? {} : { FFMA_ROOT: cwd }) };
        const printed = await runNcu(
          ncu,
          { cache, program, ...request, metrics },
          { env: own, timeoutMs, abort },
        );
        const written = await this.#written(report);
        const fault = faultOf(written);
        if (fault !== undefined) return fault;
        return { launches: parseRawPage(printed), report: written as LaunchReport };
      } catch (error) {
        const written = await this.#written(report);
        // What the program says of itself is nearer to the cause than that it ended.
        const fault = written === undefined ? undefined : faultOf(written);
        if (fault !== undefined) return fault;
        if (!(error instanceof UnknownMetricsError)) throw error;
        const fresh = error.metrics.filter((name) => metrics.includes(name));
        if (fresh.length === 0 || request.metrics !== undefined) throw error;
        for (const name of fresh) this.#unknown.add(name);
      }
    }
  }

  async #written(report: string): Promise<Written | undefined> {
    const text = await readFile(report, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Written);
  }
}

/** Whether ncu's name of a launch is a symbol's; of C++ it may have the parameters, too. */
function isCalled(seen: string, name: string): boolean {
  return seen === name || seen.startsWith(`${name}(`);
}

/** Why there is no profile, by what the program wrote; undefined where it was right. */
function faultOf(written: Written | undefined): ProfileOutcome | undefined {
  if (written === undefined)
    return { status: 'failed', reason: 'The program that was profiled wrote no report.' };
  if ('error' in written) {
    const { code, message } = written.error;
    return { status: code === 'FFMA_UNSUPPORTED' ? 'refused' : 'failed', reason: message };
  }
  return written.wrong === undefined
    ? undefined
    : { status: 'failed', reason: written.wrong, report: written };
}
