import { type BlockTraffic, firstSector, isWrite, sectorsOf } from './block-traffic.js';
import { SECTOR_BYTES, SectorCache } from './sector-cache.js';

/** The cache and the blocks at work that a model assumes. */
export interface L2Parameters {
  readonly bytes: number;
  readonly ways: number;
  /** Blocks that are at work at a time, on all multiprocessors. */
  readonly residentBlocks: number;
}

/** What a model of the L2 cache says of one launch, which it starts with nothing in the cache. Not a measurement. */
export interface L2Figures extends L2Parameters {
  /** Blocks of the launch, and how many of them were modelled: the first ones. */
  readonly blocks: number;
  readonly modelledBlocks: number;
  /** Sectors that were read, and how many of those the cache had. */
  readonly readSectors: number;
  readonly readHits: number;
  readonly writtenSectors: number;
  /** What read misses fetched from memory, and what evictions wrote to it. */
  readonly dramReadBytes: number;
  readonly dramWrittenBytes: number;
  /** Written by the launch, and still only in the cache at its end. */
  readonly dirtyBytes: number;
}

/** Runs of sectors that a block has before the next block's turn. */
const TURN = 8;

/**
 * Models an L2 cache: blocks start in the order of their numbers, as many as fit; each asks in turn, and one that has
 * finished makes room for the next. Lines of 128 bytes in sectors of 32, write-back, least recently used out first.
 *
 * @param traffic of blocks 0, 1, 2, …, in that order
 * @param blocks of the launch
 */
export function modelL2(
  traffic: readonly BlockTraffic[],
  blocks: number,
  parameters: L2Parameters,
): L2Figures {
  const cache = new SectorCache(parameters.bytes, parameters.ways);
  let [readSectors, readHits, writtenSectors] = [0, 0, 0];
  let next = 0;
  const slots = Array.from({ length: Math.min(parameters.residentBlocks, traffic.length) }, () => ({
    words: traffic[next++]!.words,
    at: 0,
  }));
  for (let working = slots; working.length > 0; ) {
    let finished = false;
    for (const slot of working) {
      for (const end = Math.min(slot.at + TURN, slot.words.length); slot.at < end; slot.at++) {
        const word = slot.words[slot.at]!;
        const first = firstSector(word);
        const count = sectorsOf(word);
        if (isWrite(word)) {
          writtenSectors += count;
          for (let sector = first; sector < first + count; sector++) cache.write(sector);
        } else {
          readSectors += count;
          for (let sector = first; sector < first + count; sector++) if (cache.read(sector)) readHits++;
        }
      }
      if (slot.at < slot.words.length) continue;
      slot.words = traffic[next++]?.words ?? new Uint32Array();
      slot.at = 0;
      if (slot.words.length === 0) finished = true;
    }
    // A block that asked for nothing has its turn, too, and is gone after it.
    if (finished) working = working.filter(({ words }) => words.length > 0 || next < traffic.length);
  }
  return {
    ...parameters,
    blocks,
    modelledBlocks: traffic.length,
    readSectors,
    readHits,
    writtenSectors,
    dramReadBytes: (readSectors - readHits) * SECTOR_BYTES,
    dramWrittenBytes: cache.writtenBack * SECTOR_BYTES,
    dirtyBytes: cache.dirty * SECTOR_BYTES,
  };
}
