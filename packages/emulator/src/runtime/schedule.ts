/**
 * In which order the blocks of a launch start, and the warps of a block run between barriers. A kernel must give the
 * same result under all of them; f32 atomics alone may add in another order.
 */
export interface Schedule {
  /**
   * `forward`: by number. `reverse`: the highest first, in each warp the highest lanes. `random`: shuffled by the seed,
   * anew at every turn. `adversarial`: in every turn one warp, chosen by the seed, runs as far ahead as it can before
   * the others, which follow in reverse; a block that may wait for others starts once none before it can go on.
   */
  readonly order: 'forward' | 'reverse' | 'random' | 'adversarial';
  /** A whole number below 2^32. Default 1; `forward` and `reverse` have none. */
  readonly seed?: number;
  /**
   * When the bytes of a `cp.async` are in shared memory: `late`, at its wait; `early`, when it is issued. To read them
   * before the wait is an error either way, where checks are on. Default `late`.
   */
  readonly copies?: 'late' | 'early';
}

export const ORDERS = ['forward', 'reverse', 'random', 'adversarial'] as const;

const isSeeded = (order: Schedule['order']) => order === 'random' || order === 'adversarial';

/** A schedule in a word: `reverse`, `random:7`, `adversarial:2+early`. {@link parseSchedule} reads it. */
export function scheduleText({ order, seed = 1, copies = 'late' }: Schedule): string {
  return `${order}${isSeeded(order) ? `:${seed}` : ''}${copies === 'early' ? '+early' : ''}`;
}

/** Reads what {@link scheduleText} writes; undefined for anything else. */
export function parseSchedule(text: string): Schedule | undefined {
  const match = /^([a-z]+)(?::(\d+))?(\+early)?$/.exec(text);
  const order = ORDERS.find((one) => one === match?.[1]);
  if (match === null || order === undefined) return undefined;
  const seed = match[2] === undefined ? undefined : Number(match[2]);
  if (seed !== undefined && (!isSeeded(order) || seed > 0xffffffff)) return undefined;
  return {
    order,
    ...(seed === undefined ? {} : { seed }),
    ...(match[3] === undefined ? {} : { copies: 'early' }),
  };
}

/**
 * The first `count` of a fixed list of schedules, all different: forward, reverse, random and adversarial, copies late
 * and early; from the sixth on, other seeds.
 */
export function someSchedules(count: number): Schedule[] {
  const first: readonly Schedule[] = [
    { order: 'forward' },
    { order: 'reverse', copies: 'early' },
    { order: 'random', seed: 1 },
    { order: 'adversarial', seed: 1 },
    { order: 'adversarial', seed: 2, copies: 'early' },
  ];
  return Array.from({ length: count }, (_, i): Schedule => {
    const fixed = first[i];
    if (fixed !== undefined) return fixed;
    const seed = (i >> 1) + (i % 2);
    return { order: i % 2 === 0 ? 'adversarial' : 'random', seed, ...(i % 4 < 2 ? { copies: 'early' } : {}) };
  });
}
