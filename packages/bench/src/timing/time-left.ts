import { type SizeWork, type WorkKind, workKinds } from './work.js';

interface Measured {
  ms: number;
  estimatedMs: number;
}

const none = (): Record<WorkKind, Measured> => ({
  compile: { ms: 0, estimatedMs: 0 },
  data: { ms: 0, estimatedMs: 0 },
  judge: { ms: 0, estimatedMs: 0 },
  check: { ms: 0, estimatedMs: 0 },
  round: { ms: 0, estimatedMs: 0 },
});

/**
 * The time that work takes yet. Estimates say how pieces of one kind compare with each other; how long they take is
 * what those before took. Rounds of a size are known from those of the same size as soon as there is one.
 */
export class TimeLeft {
  readonly #sizes: readonly SizeWork[];
  readonly #now: () => number;
  readonly #all = none();
  #here = none();
  /** Pieces of the current size that are not yet begun. */
  #left: Record<WorkKind, number> = { compile: 0, data: 0, judge: 0, check: 0, round: 0 };
  #size = -1;
  #running: { readonly kind: WorkKind; readonly since: number } | undefined;

  constructor(sizes: readonly SizeWork[], now: () => number = performance.now.bind(performance)) {
    this.#sizes = sizes;
    this.#now = now;
  }

  /** Ends what runs, and goes on with a size; what is left of those before it is not done any more. */
  beginSize(index: number): void {
    this.#endPiece();
    this.#size = index;
    this.#here = none();
    const work = this.#sizes[index] as SizeWork;
    for (const kind of workKinds) this.#left[kind] = work[kind].count;
  }

  /** Ends the piece that runs, and begins one. One more than there were to be is work all the same. */
  begin(kind: WorkKind): void {
    this.#endPiece();
    this.#left[kind] = Math.max(0, this.#left[kind] - 1);
    // What comes before the rounds is over when they begin, done or left out.
    if (kind === 'round') this.#left.compile = this.#left.data = this.#left.judge = 0;
    this.#running = { kind, since: this.#now() };
  }

  #endPiece(): void {
    if (this.#running === undefined) return;
    const { kind, since } = this.#running;
    this.#running = undefined;
    const estimatedMs = this.#sizes[this.#size]?.[kind].eachMs ?? 0;
    for (const sums of [this.#all, this.#here]) {
      sums[kind].ms += this.#now() - since;
      sums[kind].estimatedMs += estimatedMs;
    }
  }

  /** What pieces took, for each ms that was estimated. */
  #pace(kind: WorkKind, here: boolean): number {
    const own = (here && this.#here[kind].estimatedMs > 0 ? this.#here : this.#all)[kind];
    return own.estimatedMs > 0 ? own.ms / own.estimatedMs : 1;
  }

  /** In ms, with the piece that runs; undefined before anything was measured. */
  get ms(): number | undefined {
    if (workKinds.every((kind) => this.#all[kind].estimatedMs === 0)) return undefined;
    let sum = 0;
    for (const kind of workKinds) {
      const each = (this.#sizes[this.#size]?.[kind].eachMs ?? 0) * this.#pace(kind, true);
      sum += this.#left[kind] * each;
      if (this.#running?.kind === kind) sum += Math.max(0, each - (this.#now() - this.#running.since));
      for (const later of this.#sizes.slice(this.#size + 1))
        sum += later[kind].count * later[kind].eachMs * this.#pace(kind, false);
    }
    return sum;
  }
}
