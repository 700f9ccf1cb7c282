/** Words of a page, as a power of two. */
const PAGE_BITS = 12;

/**
 * What is kept of a word of global memory: who wrote it last, and two that have read it since. Each is the warp's number
 * in the grid plus one, its moment, and which access of which lane it was; all 0 at first.
 */
export const GLOBAL_ENTRY = { write: 0, read: 3, otherRead: 6, words: 9 } as const;

/** Site, lane and strength of an access in one word. */
export const placeWord = (site: number, lane: number, strong: boolean): number =>
  (site << 6) | (strong ? 32 : 0) | lane;
export const siteOfPlace = (place: number): number => place >>> 6;
export const laneOfPlace = (place: number): number => place & 31;
export const isStrongPlace = (place: number): boolean => (place & 32) !== 0;

/** Entries of the words of global memory that were touched, in pages that are made when they are. */
export class GlobalWords {
  readonly #pages = new Map<number, Int32Array>();
  #last = -1;
  #page: Int32Array = new Int32Array(0);

  /** The page that has a word; its entries start at {@link start}. */
  page(word: number): Int32Array {
    const number = word >>> PAGE_BITS;
    if (number === this.#last) return this.#page;
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Int32Array(GLOBAL_ENTRY.words << PAGE_BITS);
      this.#pages.set(number, page);
    }
    this.#last = number;
    this.#page = page;
    return page;
  }

  start(word: number): number {
    return GLOBAL_ENTRY.words * (word & ((1 << PAGE_BITS) - 1));
  }
}
