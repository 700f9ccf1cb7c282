/** What has been seen of the warps of a grid: by number, up to which of its moments. Never changed once made. */
type Seen = ReadonlyMap<number, number>;

const NOTHING: Seen = new Map();

/** All that is in either. */
function joined(a: Seen, b: Seen): Seen {
  if (a === b || b.size === 0) return a;
  if (a.size === 0) return b;
  let both: Map<number, number> | undefined;
  for (const [warp, moment] of b) {
    if ((a.get(warp) ?? 0) >= moment) continue;
    both ??= new Map(a);
    both.set(warp, moment);
  }
  return both ?? a;
}

/** Clocks of one resident block: of each warp its moment, and what it has seen, fenced, and read without a fence since. */
interface BlockClock {
  /** Number of the block's first warp among those of the grid. */
  readonly first: number;
  readonly now: Int32Array;
  readonly seen: Seen[];
  readonly fenced: Seen[];
  readonly read: Seen[];
}

/**
 * Which accesses to global memory come before which, from block to block: vector clocks of warps (Mattern 1989), kept
 * as maps, since a block hears of few others. What the lanes of one warp do is taken to be in order.
 */
export class GlobalClock {
  readonly #warps: number;
  readonly #blocks = new Map<number, BlockClock>();
  /** By word of global memory: what is seen by whoever acquires the value that lies there. */
  readonly #released = new Map<number, Seen>();

  /** @param warps of a block */
  constructor(warps: number) {
    this.#warps = warps;
  }

  /** Block number `index` of the grid is in the slot with this context record. */
  start(ctx: number, index: number): void {
    const each = () => new Array<Seen>(this.#warps).fill(NOTHING);
    const now = new Int32Array(this.#warps).fill(1);
    this.#blocks.set(ctx, { first: index * this.#warps, now, seen: each(), fenced: each(), read: each() });
  }

  /** Number of a block's warp in the grid, and its moment. */
  at(ctx: number, warp: number): { readonly first: number; readonly who: number; readonly now: number } {
    const { first, now } = this.#blocks.get(ctx)!;
    return { first, who: first + warp, now: now[warp]! };
  }

  /** Whether a warp has seen what another one of the grid did at a moment. */
  hasSeen(ctx: number, warp: number, who: number, moment: number): boolean {
    return (this.#blocks.get(ctx)!.seen[warp]!.get(who) ?? 0) >= moment;
  }

  /** All that a warp has seen and done; what it does from now on is not part of it. */
  #close({ first, now, seen }: BlockClock, warp: number): Seen {
    const all = new Map(seen[warp]!).set(first + warp, now[warp]!);
    now[warp]!++;
    return all;
  }

  /** Warps of a block have met; undefined: all of them. */
  sync(ctx: number, warps?: Iterable<number>): void {
    const block = this.#blocks.get(ctx)!;
    const met = warps === undefined ? [...block.now.keys()] : [...warps];
    const all = (of: (warp: number) => Seen) => met.map(of).reduce(joined, NOTHING);
    const [fenced, read] = [all((warp) => block.fenced[warp]!), all((warp) => block.read[warp]!)];
    const seen = all((warp) => this.#close(block, warp));
    for (const warp of met) {
      block.seen[warp] = seen;
      block.fenced[warp] = fenced;
      block.read[warp] = read;
    }
  }

  /** A fence: what was read before it is acquired, and what was done before it can be released by what follows. */
  fence(ctx: number, warp: number): void {
    const block = this.#blocks.get(ctx)!;
    block.seen[warp] = joined(block.seen[warp]!, block.read[warp]!);
    block.read[warp] = NOTHING;
    block.fenced[warp] = this.#close(block, warp);
  }

  /** A word was read that others may have released something by. */
  read(ctx: number, warp: number, word: number, acquires: boolean): void {
    const found = this.#released.get(word);
    if (found === undefined) return;
    const block = this.#blocks.get(ctx)!;
    const into = acquires ? block.seen : block.read;
    into[warp] = joined(into[warp]!, found);
  }

  /** A word was written, or `updated` by an atomic, which leaves what others have released by it. */
  wrote(ctx: number, warp: number, word: number, releases: boolean, updated: boolean): void {
    const block = this.#blocks.get(ctx)!;
    const own = releases ? this.#close(block, warp) : block.fenced[warp]!;
    const found = updated ? this.#released.get(word) : undefined;
    if (own.size === 0 && found === undefined) this.#released.delete(word);
    else this.#released.set(word, joined(found ?? NOTHING, own));
  }

  /** A word was written by an access that orders nothing: what was released by it can be had no more. */
  overwritten(word: number): void {
    this.#released.delete(word);
  }
}
