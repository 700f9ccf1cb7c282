import { TENSOR_MAP_BYTES } from '@ffma/core';
import { CTX, GLOBAL_BASE, HEAP_START, PARAM_WINDOW, SHARED_WINDOW } from '../layout.js';
import { BULK_PIECE } from '../translate/bulk-piece.js';
import type { Issuer } from './agent-races.js';
import type { BulkMemory } from './bulk-memory.js';
import type { BulkStores } from './bulk-stores.js';
import type { HostBlock } from './host-block.js';
import type { BlockHost } from './host-imports.js';
import type { Signals } from './signals.js';
import { decodeTensorMap, type TensorMapRecord } from './tensor-map-record.js';

/** Bytes that copies are made of. */
const PIECE = BULK_PIECE;
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
  readonly #memory: BulkMemory;

  constructor({ block, signals, stores }: Omit<BlockHost, 'bulk'>, memory: BulkMemory) {
    this.#block = block;
    this.#signals = signals;
    this.#stores = stores;
    this.#memory = memory;
  }

  #checkMultiple(issuer: Issuer, what: string, value: number | bigint, of: number): void {
    if (BigInt(value) % BigInt(of) !== 0n)
      this.#memory.refuse(
        issuer,
        `${what} must be a multiple of ${of}, but is ${typeof value === 'bigint' ? `0x${value.toString(16)}` : value}`,
      );
  }

  // ---- plain copies

  load(issuer: Issuer, to: bigint, from: bigint, size: number, barrier: bigint): void {
    const at = sharedOffset(to);
    this.#checkMultiple(issuer, 'the size', size, PIECE);
    this.#checkMultiple(issuer, 'the offset in shared memory', at, PIECE);
    this.#checkMultiple(issuer, 'the address in global memory', from, PIECE);
    const pieces = this.#memory.pieces(issuer, at, size);
    this.#memory.request(issuer);
    this.#memory.brought(issuer, size);
    const x = HEAP_START + this.#memory.global(issuer, from, size, false);
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
    const pieces = this.#memory.pieces(issuer, at, size);
    this.#memory.request(issuer);
    this.#stores.store(issuer, pieces, () =>
      this.#memory.write(issuer, to, this.#memory.shared(issuer, pieces)),
    );
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
        ? HEAP_START + this.#memory.global(issuer, address, TENSOR_MAP_BYTES, false)
        : address >= PARAM_WINDOW
          ? this.#block.field(CTX.params) + Number(address - PARAM_WINDOW)
          : -1;
    const map = at < 0 ? undefined : decodeTensorMap(u8.slice(at, at + TENSOR_MAP_BYTES));
    if (map === undefined)
      return this.#memory.refuse(
        issuer,
        `at 0x${address.toString(16)} lies no tensor map that this device has made`,
      );
    if (dimensions !== 2)
      this.#memory.refuse(issuer, `the tensor map has 2 dimensions, but the copy ${dimensions}`);
    return map;
  }

  #rows(issuer: Issuer, map: TensorMapRecord, col: number, row: number): TileRow[] {
    if (col % 4 !== 0)
      this.#memory.refuse(
        issuer,
        `a tile starts at a column that is a multiple of 4 (16 bytes), but at ${col}`,
      );
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
    const pieces = this.#memory.pieces(issuer, at, bytes.length, map.swizzle);
    this.#memory.request(issuer);
    this.#memory.brought(issuer, bytes.length);
    for (const [i, { address, skipped, inside }] of this.#rows(issuer, map, col, row).entries()) {
      if (inside === 0) continue;
      const x = HEAP_START + this.#memory.global(issuer, address, inside, false);
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
    const pieces = this.#memory.pieces(issuer, at, width * map.tileRows, map.swizzle);
    const rows = this.#rows(issuer, map, col, row);
    this.#memory.request(issuer);
    this.#stores.store(issuer, pieces, () => {
      const bytes = this.#memory.shared(issuer, pieces);
      for (const [i, { address, skipped, inside }] of rows.entries()) {
        const start = i * width + skipped;
        if (inside > 0) this.#memory.write(issuer, address, bytes.subarray(start, start + inside));
      }
    });
  }

  tensorPrefetch(issuer: Issuer, mapAddress: bigint, dimensions: number, col: number, row: number): void {
    this.#rows(issuer, this.#map(issuer, mapAddress, dimensions), col, row);
  }
}
