const LANES = 32;

/** Requests of one site that lanes of a warp may still join, from the oldest on. */
class OpenSite {
  /** How often each lane has executed the site. */
  readonly visits = new Int32Array(LANES);
  /** The first visit that is open. */
  #first = 0;
  #count = 0;
  /** Lanes of each open visit, a bit each, and their addresses. */
  #lanes = new Int32Array(16);
  #addresses = new Uint32Array(16 * LANES);

  get open(): boolean {
    return this.#count > 0;
  }

  add(lane: number, address: number): void {
    const at = this.visits[lane]!++ - this.#first;
    if (at >= this.#lanes.length) this.#grow(at + 1);
    if (at >= this.#count) this.#count = at + 1;
    this.#lanes[at]! |= 1 << lane;
    this.#addresses[at * LANES + lane] = address;
  }

  #grow(needed: number): void {
    const size = Math.max(needed, 2 * this.#lanes.length);
    const lanes = new Int32Array(size);
    const addresses = new Uint32Array(size * LANES);
    lanes.set(this.#lanes);
    addresses.set(this.#addresses);
    this.#lanes = lanes;
    this.#addresses = addresses;
  }

  /** Counts the visits before `visit` and forgets them. */
  close(visit: number, count: (lanes: number, addresses: Uint32Array) => void): void {
    const closed = Math.min(this.#count, visit - this.#first);
    if (closed <= 0) return;
    for (let at = 0; at < closed; at++) {
      count(this.#lanes[at]!, this.#addresses.subarray(at * LANES, (at + 1) * LANES));
    }
    this.#lanes.copyWithin(0, closed, this.#count);
    this.#lanes.fill(0, this.#count - closed, this.#count);
    this.#addresses.copyWithin(0, closed * LANES, this.#count * LANES);
    this.#count -= closed;
    this.#first += closed;
  }
}

/** Takes a finished request: the lanes that took part, a bit each, and the addresses by lane. */
export type CountRequest = (site: number, lanes: number, addresses: Uint32Array) => void;

/**
 * The requests of one warp whose lanes do not keep step: the nth execution of a site by one lane and the nth by
 * another are one request, however much later the other comes to it. Lanes meet at barriers: nothing stays open there.
 */
export class WarpRequests {
  readonly #sites = new Map<number, OpenSite>();

  add(site: number, lane: number, address: number): void {
    let open = this.#sites.get(site);
    if (open === undefined) {
      open = new OpenSite();
      this.#sites.set(site, open);
    }
    open.add(lane, address);
  }

  /**
   * Counts the requests that no lane can join any more.
   * @param live lanes that have not exited, a bit each
   */
  close(live: number, count: CountRequest): void {
    for (const [site, open] of this.#sites) {
      let reached = Number.POSITIVE_INFINITY;
      for (let lane = 0; lane < LANES; lane++) {
        if (live & (1 << lane)) reached = Math.min(reached, open.visits[lane]!);
      }
      open.close(reached, (lanes, addresses) => count(site, lanes, addresses));
    }
  }

  /** Whether all live lanes have executed every site equally often, so that nothing need be remembered. */
  inStep(live: number): boolean {
    for (const { open, visits } of this.#sites.values()) {
      if (open) return false;
      let seen = -1;
      for (let lane = 0; lane < LANES; lane++) {
        if ((live & (1 << lane)) === 0) continue;
        if (seen >= 0 && visits[lane] !== seen) return false;
        seen = visits[lane]!;
      }
    }
    return true;
  }
}
