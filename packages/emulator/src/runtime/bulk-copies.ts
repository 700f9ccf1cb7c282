import { TENSOR_MAP_BYTES } from '@ffma/core';
import {
  CONTROL,
  CTX,
  GLOBAL_BASE,
  HEAP_START,
  PARAM_WINDOW,
  SHADOW_ALLOCATED,
  SHADOW_START,
  SHADOW_VALID,
  SHARED_WINDOW,
} from '../layout.js';
import { looksBetweenBlocks, type Sanitizers } from '../sanitizers.js';
import { BULK_PIECE } from '../translate/bulk-piece.js';
import { GLOBAL_ACCESS } from '../translate/lower/memory-order.js';
import type { Issuer } from './agent-races.js';
import type { BulkStores } from './bulk-stores.js';
import type { GlobalRaces } from './global-races.js';
import type { HostBlock } from './host-block.js';
import type { BlockHost } from './host-imports.js';
import { FIGURES } from './log-processor.js';
import type { Signals } from './signals.js';
import { decodeTensorMap, swizzled, type TensorMapRecord } from './tensor-map-record.js';

/** Bytes that copies are made of. */
const PIECE = BULK_PIECE;
/** Bytes of global memory that move together, and of shared memory in one pass through its banks. */
const SECTOR = 32;
const WAVEFRONT = 128;
/** Where a tile in shared memory starts at a multiple of. */
const TILE_ALIGNMENT = 128;

/** An offset in shared memory, from one or from a generic address. */
export const sharedOffset = (address: bigint): number =>
  Number(address >= SHARED_WINDOW ? address - SHARED_WINDOW : address);

/** A tile of a matrix: for each of its rows, where that lies in global memory, and which of its bytes are inside. */
interface TileRow {
  readonly address: bigint;
  /** Bytes of the row of the tile before the first that is inside, and how many are. */
  readonly skipped: number;
  readonly inside: number;
}

/** Does copies in bulk between global and shared memory for one block. */
export class BulkCopies {
  readonly #block: HostBlock;
  readonly #signals: Signals;
  readonly #stores: BulkStores;
  readonly #checks: Sanitizers | undefined;
  readonly #between: GlobalRaces | undefined;
  readonly #figures: Float64Array | undefined;

  /**
   * @param figures of the kernel's sites, where these are counted
   * @param between is told of what is read and written, where races between blocks are looked for
   */
  constructor(
    { block, signals, stores }: Omit<BlockHost, 'bulk'>,
    checks: Sanitizers | undefined,
    between: GlobalRaces | undefined,
    figures?: Float64Array,
  ) {
    this.#figures = figures;
    this.#block = block;
    this.#signals = signals;
    this.#stores = stores;
    this.#checks = checks;
    this.#between = looksBetweenBlocks(checks) ? between : undefined;
  }

  #refuse(issuer: Issuer, note: string): never {
    throw this.#block.fault('bulk-copy', issuer, note);
  }

  #checkMultiple(issuer: Issuer, what: string, value: number | bigint, of: number): void {
    if (BigInt(value) % BigInt(of) !== 0n)
      this.#refuse(
        issuer,
        `${what} must be a multiple of ${of}, but is ${typeof value === 'bigint' ? `0x${value.toString(16)}` : value}`,
      );
  }

  // ---- counters

  #add(site: number, figure: number, value: number): void {
    if (this.#figures !== undefined) this.#figures[site * FIGURES.count + figure]! += value;
  }

  /** One execution, by one thread for all. */
  #request({ site }: Issuer): void {
    this.#add(site, FIGURES.requests, 1);
  }

  /** A run of global memory that it touches. */
  #touched({ site }: Issuer, x: number, bytes: number): void {
    this.#add(site, FIGURES.sectors, Math.floor((x + bytes - 1) / SECTOR) - Math.floor(x / SECTOR) + 1);
    this.#add(site, FIGURES.bytesRequested, bytes);
    this.#add(site, FIGURES.bytesUsed, bytes);
  }

  /** What it brings to shared memory, zeros included: 128 bytes a wavefront, since a run never conflicts with itself. */
  #brought({ site }: Issuer, bytes: number): void {
    this.#request({ site: site + 1, thread: 0 });
    this.#add(site + 1, FIGURES.bytesRequested, bytes);
    for (const figure of [FIGURES.wavefronts, FIGURES.idealWavefronts])
      this.#add(site + 1, figure, Math.ceil(bytes / WAVEFRONT));
  }

  // ---- memory

  /** Offset in the heap of a run of global memory that may be touched. @throws KernelFault */
  #global(issuer: Issuer, address: bigint, bytes: number, write: boolean): number {
    const { i32, u8 } = this.#block.views;
    const x = Number(address - GLOBAL_BASE);
    const more = (at: number, size: number) => ({
      address: GLOBAL_BASE + BigInt(at),
      site: {
        ...this.#block.site(issuer.site),
        space: 'global',
        kind: write ? 'store' : 'load',
        bytes: size,
      } as const,
    });
    if (x < 0 || x + bytes > i32[CONTROL.heapBytes >> 2]! >>> 0)
      throw this.#block.fault('out-of-bounds', issuer, undefined, { ...more(x, bytes), address });
    for (let word = x >>> 2; this.#checks !== undefined && word < (x + bytes) >>> 2; word++) {
      const shadow = u8[SHADOW_START + word]!;
      if (this.#checks.memcheck && (shadow & SHADOW_ALLOCATED) !== SHADOW_ALLOCATED)
        throw this.#block.fault('out-of-bounds', issuer, undefined, more(4 * word, 4));
      if (this.#checks.initcheck && !write && shadow !== SHADOW_VALID)
        throw this.#block.fault('uninitialised-read', issuer, undefined, more(4 * word, 4));
    }
    this.#touched(issuer, x, bytes);
    const { thread, site } = issuer;
    const flags = write ? GLOBAL_ACCESS.write : GLOBAL_ACCESS.read;
    this.#between?.touch(
      flags,
      site,
      x,
      bytes >> 2,
      0,
      1,
      thread & 3,
      this.#block.stateOf(thread),
      this.#block.ctx,
    );
    return x;
  }

  #write(issuer: Issuer, address: bigint, bytes: Uint8Array): void {
    const x = this.#global(issuer, address, bytes.length, true);
    const { u8 } = this.#block.views;
    u8.set(bytes, HEAP_START + x);
    if (this.#checks !== undefined)
      u8.fill(SHADOW_VALID, SHADOW_START + (x >>> 2), SHADOW_START + ((x + bytes.length) >>> 2));
  }

  /** Pieces of shared memory from an offset on, which must lie in it. */
  #pieces(issuer: Issuer, at: number, bytes: number, swizzle = 0): Int32Array {
    const size = this.#block.field(CTX.sharedBytes);
    const pieces = Int32Array.from({ length: bytes / PIECE }, (_, i) => swizzled(at + PIECE * i, swizzle));
    if (at < 0 || at + bytes > size || pieces.some((piece) => piece + PIECE > size))
      this.#refuse(issuer, `${bytes} bytes from byte ${at} on go past the ${size} bytes of shared memory`);
    return pieces;
  }

  /** What lies in shared memory, piece after piece. @throws KernelFault where nothing has been written */
  #shared(issuer: Issuer, pieces: Int32Array): Uint8Array {
    const { u8 } = this.#block.views;
    const bytes = new Uint8Array(PIECE * pieces.length);
    for (const [i, piece] of pieces.entries()) {
      const from = this.#block.field(CTX.shared) + piece;
      bytes.set(u8.subarray(from, from + PIECE), PIECE * i);
      for (let word = piece >> 2; word < (piece + PIECE) >> 2; word++) {
        if (this.#checks?.initcheck !== true) break;
        if (u8[this.#block.field(CTX.sharedShadow) + word] === SHADOW_VALID) continue;
        const flight = this.#signals.flightAt(4 * word);
        throw this.#block.fault(
          flight === undefined ? 'uninitialised-read' : 'copy-in-flight',
          issuer,
          flight,
          {
            address: BigInt(4 * word),
            site: { ...this.#block.site(issuer.site), kind: 'load', bytes: 4 },
          },
        );
      }
    }
    return bytes;
  }

  // ---- plain copies

  load(issuer: Issuer, to: bigint, from: bigint, size: number, barrier: bigint): void {
    const at = sharedOffset(to);
    this.#checkMultiple(issuer, 'the size', size, PIECE);
    this.#checkMultiple(issuer, 'the offset in shared memory', at, PIECE);
    this.#checkMultiple(issuer, 'the address in global memory', from, PIECE);
    const pieces = this.#pieces(issuer, at, size);
    this.#request(issuer);
    this.#brought(issuer, size);
    const x = HEAP_START + this.#global(issuer, from, size, false);
    this.#signals.load(sharedOffset(barrier), {
      issuer,
      pieces,
      bytes: this.#block.views.u8.slice(x, x + size),
    });
  }

  store(issuer: Issuer, to: bigint, from: bigint, size: number): void {
    const at = sharedOffset(from);
    this.#checkMultiple(issuer, 'the size', size, PIECE);
    this.#checkMultiple(issuer, 'the offset in shared memory', at, PIECE);
    this.#checkMultiple(issuer, 'the address in global memory', to, PIECE);
    const pieces = this.#pieces(issuer, at, size);
    this.#request(issuer);
    this.#stores.store(issuer, pieces, () => this.#write(issuer, to, this.#shared(issuer, pieces)));
  }

  prefetch(issuer: Issuer, from: bigint, size: number): void {
    this.#checkMultiple(issuer, 'the size', size, PIECE);
    this.#checkMultiple(issuer, 'the address in global memory', from, PIECE);
  }

  // ---- tiles

  #map(issuer: Issuer, address: bigint, dimensions: number): TensorMapRecord {
    const { u8 } = this.#block.views;
    this.#checkMultiple(issuer, 'the address of the tensor map', address, 64);
    const at =
      address >= GLOBAL_BASE
        ? HEAP_START + this.#global(issuer, address, TENSOR_MAP_BYTES, false)
        : address >= PARAM_WINDOW
          ? this.#block.field(CTX.params) + Number(address - PARAM_WINDOW)
          : -1;
    const map = at < 0 ? undefined : decodeTensorMap(u8.slice(at, at + TENSOR_MAP_BYTES));
    if (map === undefined)
      return this.#refuse(
        issuer,
        `at 0x${address.toString(16)} lies no tensor map that this device has made`,
      );
    if (dimensions !== 2) this.#refuse(issuer, `the tensor map has 2 dimensions, but the copy ${dimensions}`);
    return map;
  }

  #rows(issuer: Issuer, map: TensorMapRecord, col: number, row: number): TileRow[] {
    if (col % 4 !== 0)
      this.#refuse(issuer, `a tile starts at a column that is a multiple of 4 (16 bytes), but at ${col}`);
    const first = Math.max(0, -col);
    const last = Math.min(map.tileCols, map.cols - col);
    return Array.from({ length: map.tileRows }, (_, i) => {
      const inside = row + i >= 0 && row + i < map.rows ? Math.max(0, last - first) : 0;
      const address = map.address + BigInt((row + i) * map.pitch + 4 * (col + first));
      return { address, skipped: 4 * first, inside: 4 * inside };
    });
  }

  #checkTile(issuer: Issuer, at: number): void {
    this.#checkMultiple(issuer, 'the offset of a tile in shared memory', at, TILE_ALIGNMENT);
  }

  tensorLoad(
    issuer: Issuer,
    to: bigint,
    mapAddress: bigint,
    dimensions: number,
    col: number,
    row: number,
    barrier: bigint,
  ): void {
    const map = this.#map(issuer, mapAddress, dimensions);
    const at = sharedOffset(to);
    this.#checkTile(issuer, at);
    const width = 4 * map.tileCols;
    // What lies outside of the matrix stays zero.
    const bytes = new Uint8Array(width * map.tileRows);
    const pieces = this.#pieces(issuer, at, bytes.length, map.swizzle);
    this.#request(issuer);
    this.#brought(issuer, bytes.length);
    for (const [i, { address, skipped, inside }] of this.#rows(issuer, map, col, row).entries()) {
      if (inside === 0) continue;
      const x = HEAP_START + this.#global(issuer, address, inside, false);
      bytes.set(this.#block.views.u8.subarray(x, x + inside), i * width + skipped);
    }
    this.#signals.load(sharedOffset(barrier), { issuer, pieces, bytes });
  }

  tensorStore(
    issuer: Issuer,
    mapAddress: bigint,
    from: bigint,
    dimensions: number,
    col: number,
    row: number,
  ): void {
    const map = this.#map(issuer, mapAddress, dimensions);
    const at = sharedOffset(from);
    this.#checkTile(issuer, at);
    const width = 4 * map.tileCols;
    const pieces = this.#pieces(issuer, at, width * map.tileRows, map.swizzle);
    const rows = this.#rows(issuer, map, col, row);
    this.#request(issuer);
    this.#stores.store(issuer, pieces, () => {
      const bytes = this.#shared(issuer, pieces);
      for (const [i, { address, skipped, inside }] of rows.entries()) {
        const start = i * width + skipped;
        if (inside > 0) this.#write(issuer, address, bytes.subarray(start, start + inside));
      }
    });
  }

  tensorPrefetch(issuer: Issuer, mapAddress: bigint, dimensions: number, col: number, row: number): void {
    this.#rows(issuer, this.#map(issuer, mapAddress, dimensions), col, row);
  }
}
