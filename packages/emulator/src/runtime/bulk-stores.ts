import type { Issuer } from './agent-races.js';
import type { HostBlock } from './host-block.js';

interface Store {
  readonly issuer: Issuer;
  /** What its reading of shared memory is in the race check. */
  readonly entry: number;
  readonly run: () => void;
}

/** Stores of a thread, by groups. */
interface Groups {
  open: Store[];
  readonly closed: Store[][];
}

/** The stores of a block's threads in bulk, to global memory: each is done when its group is waited for. */
export class BulkStores {
  readonly #block: HostBlock;
  readonly #groups = new Map<number, Groups>();

  constructor(block: HostBlock) {
    this.#block = block;
  }

  /** Another block is in the slot. */
  start(): void {
    this.#groups.clear();
  }

  #of(thread: number): Groups {
    let groups = this.#groups.get(thread);
    if (groups === undefined) {
      groups = { open: [], closed: [] };
      this.#groups.set(thread, groups);
    }
    return groups;
  }

  /** Starts a store of pieces of 16 bytes of shared memory; `run` does it. @throws KernelFault */
  store(issuer: Issuer, pieces: Int32Array, run: () => void): void {
    const { races, clock, mode } = this.#block;
    let entry = 0;
    if (races !== undefined) {
      const agent = races.agent(`stores of ${issuer.thread}`);
      races.issue(agent, issuer);
      const words = [...pieces].flatMap((piece) => [0, 1, 2, 3].map((word) => (piece >> 2) + word));
      for (const word of words) races.checkRead(agent, word, issuer);
      entry = clock!.entryOf(agent);
      for (const word of words) races.reads(agent, word, entry, issuer.site);
    }
    if (mode.early) run();
    this.#of(issuer.thread).open.push({ issuer, entry, run: mode.early ? () => undefined : run });
  }

  commit(thread: number): void {
    const groups = this.#of(thread);
    groups.closed.push(groups.open);
    groups.open = [];
  }

  /** Does the stores of a thread but those of its `pending` youngest groups. @throws KernelFault */
  wait(thread: number, pending: number): void {
    const { closed } = this.#of(thread);
    const { clock, races } = this.#block;
    while (closed.length > pending) {
      for (const { run, entry } of closed.shift()!) {
        run();
        clock?.waited(thread >> 5, races!.agent(`stores of ${thread}`), entry);
      }
    }
  }

  /** Who has started a store that nobody has waited for. */
  get unawaited(): Issuer | undefined {
    for (const { open, closed } of this.#groups.values())
      for (const { issuer } of [...closed.flat(), ...open]) return issuer;
    return undefined;
  }
}
