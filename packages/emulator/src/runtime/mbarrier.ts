/** Bounds of its counts (PTX ISA, "Contents of the mbarrier object"). */
export const MOST_ARRIVALS = 2 ** 20 - 1;
export const MOST_BYTES = 2 ** 20 - 1;

/** An mbarrier of shared memory: what it still waits for, in the phase that it is in. */
export class MBarrier {
  /** Phases that are over. */
  phase = 0;
  /** Arrivals that each phase asks for, and that this one still does. */
  expected: number;
  pending: number;
  /** Bytes that were announced and have not come; below 0: more have come. */
  bytes = 0;

  /** @throws RangeError for a count that none can have */
  constructor(count: number) {
    if (count < 1 || count > MOST_ARRIVALS)
      throw new RangeError(`its count must be 1 to ${MOST_ARRIVALS}, but is ${count}`);
    this.expected = count;
    this.pending = count;
  }

  /** Phase and arrivals in a number, as `mbarrier.arrive` gives it. */
  get state(): bigint {
    return (BigInt(this.phase) << 20n) | BigInt(this.pending);
  }

  /** @throws RangeError */
  expect(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > MOST_BYTES)
      throw new RangeError(`${this.bytes} bytes are announced, but it counts at most ${MOST_BYTES}`);
  }

  /** Bytes have come. True where the phase is over. @throws RangeError */
  complete(bytes: number): boolean {
    this.bytes -= bytes;
    if (this.bytes < -MOST_BYTES)
      throw new RangeError(`${-this.bytes} bytes more have come than were announced`);
    return this.#settle();
  }

  /** Arrivals. True where the phase is over. @throws RangeError for more than are expected */
  arrive(count: number): boolean {
    if (count < 1 || count > this.pending)
      throw new RangeError(
        `${count} ${count === 1 ? 'arrival comes' : 'arrivals come'}, but ${this.pending} of its ${this.expected} are still to come`,
      );
    this.pending -= count;
    return this.#settle();
  }

  /** One arrival more in this phase alone, for copies of a thread that it did not count. */
  add(): void {
    this.pending++;
  }

  /** Whoever arrives now will not in later phases. */
  drop(count: number): void {
    this.expected = Math.max(0, this.expected - count);
  }

  /** Whether the phase of a parity is over: that is the one before, not the one that it is in. */
  isOver(parity: number): boolean {
    return (this.phase & 1) !== (parity & 1);
  }

  #settle(): boolean {
    if (this.pending > 0 || this.bytes > 0) return false;
    if (this.bytes < 0)
      throw new RangeError(`all arrivals have come, but ${-this.bytes} bytes more than were announced`);
    this.phase++;
    this.pending = this.expected;
    return true;
  }

  /** What the phase waits for, as a sentence. */
  describe(): string {
    const arrivals = `${this.pending} of its ${this.expected} arrivals`;
    return `phase ${this.phase} (parity ${this.phase & 1}), in which ${arrivals} and ${this.bytes} bytes are still to come`;
  }
}
