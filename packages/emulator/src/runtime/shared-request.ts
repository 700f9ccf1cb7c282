const LANES = 32;
const BANKS = 32;
const PHASE_BYTES = 128;

/** What one warp request costs in shared memory. */
export interface SharedCost {
  /** Passes through the banks. */
  wavefronts: number;
  /** Passes that the same request would take if no two of its words shared a bank. */
  ideal: number;
}

const seen: number[][] = Array.from({ length: BANKS }, () => []);

/** Most distinct words of one bank among those of some lanes. */
function deepestBank(addresses: Uint32Array, lanes: number, from: number, to: number, words: number): number {
  for (const bank of seen) bank.length = 0;
  let deepest = 0;
  for (let lane = from; lane < to; lane++) {
    if ((lanes & (1 << lane)) === 0) continue;
    const first = addresses[lane]! >>> 2;
    for (let word = first; word < first + words; word++) {
      const bank = seen[word % BANKS]!;
      if (bank.includes(word)) continue;
      bank.push(word);
      if (bank.length > deepest) deepest = bank.length;
    }
  }
  return deepest;
}

/** Whether each active lane and its partner, `distance` away, want the same address. */
function pairsAgree(addresses: Uint32Array, lanes: number, distance: number): boolean {
  for (let lane = 0; lane < LANES; lane++) {
    const other = lane ^ distance;
    if (lanes & (1 << lane) && lanes & (1 << other) && addresses[lane] !== addresses[other]) return false;
  }
  return true;
}

/**
 * Wavefronts of one request to shared memory, which has 32 banks of 4-byte words. The lanes go in phases of at most
 * 128 bytes: all 32 of up to 4 bytes, half-warps of 8, quarter-warps of 16. In a phase, a word goes to all lanes that
 * want it, and each bank gives one word a wavefront. Vector loads of which neighbours (lanes 1 apart, or lanes 2
 * apart, all alike) want the same address are packed: twice as many lanes go in a phase (NVIDIA developer forum,
 * "Unexpected shared memory bank conflict", 77228).
 *
 * @param addresses byte addresses by lane, each aligned to `bytes`
 * @param lanes those that take part, a bit each
 * @param bytes what each lane moves
 */
export function sharedCost(addresses: Uint32Array, lanes: number, bytes: number, load: boolean): SharedCost {
  let width = Math.min(LANES, Math.max(1, PHASE_BYTES / Math.max(4, bytes)));
  if (load && bytes > 4 && (pairsAgree(addresses, lanes, 1) || pairsAgree(addresses, lanes, 2))) width *= 2;
  const cost = { wavefronts: 0, ideal: 0 };
  const words = Math.max(1, bytes >> 2);
  for (let from = 0; from < LANES; from += width) {
    const deepest = deepestBank(addresses, lanes, from, from + width, words);
    cost.wavefronts += deepest;
    if (deepest > 0) cost.ideal++;
  }
  return cost;
}

/** The cost of the last request of a site, known again by its shape. */
class KnownShape {
  readonly #steps = new Int32Array(LANES);
  #lanes = 0;
  #low = 0;
  cost: SharedCost = { wavefronts: 0, ideal: 0 };

  /** Whether lanes and steps between them are as they were: moving a request by whole words only rotates the banks. */
  fits(addresses: Uint32Array, lanes: number): boolean {
    if (lanes !== this.#lanes) return false;
    const first = addresses[31 - Math.clz32(lanes)]!;
    if ((first & 3) !== this.#low) return false;
    for (let lane = 0; lane < LANES; lane++) {
      if (lanes & (1 << lane) && addresses[lane]! - first !== this.#steps[lane]) return false;
    }
    return true;
  }

  learn(addresses: Uint32Array, lanes: number, cost: SharedCost): void {
    const first = addresses[31 - Math.clz32(lanes)]!;
    this.#lanes = lanes;
    this.#low = first & 3;
    for (let lane = 0; lane < LANES; lane++) this.#steps[lane] = addresses[lane]! - first;
    this.cost = cost;
  }
}

/** Measures requests to shared memory; most are shaped as the one before at their site. */
export class SharedRequests {
  readonly #known: KnownShape[] = [];

  /** @see sharedCost */
  measure(site: number, addresses: Uint32Array, lanes: number, bytes: number, load: boolean): SharedCost {
    let known = this.#known[site];
    if (known === undefined) {
      known = new KnownShape();
      this.#known[site] = known;
    }
    if (!known.fits(addresses, lanes)) {
      known.learn(addresses, lanes, sharedCost(addresses, lanes, bytes, load));
    }
    return known.cost;
  }
}
