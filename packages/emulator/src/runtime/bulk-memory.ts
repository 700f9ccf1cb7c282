import {
  CONTROL,
  CTX,
  GLOBAL_BASE,
  HEAP_START,
  SHADOW_ALLOCATED,
  SHADOW_START,
  SHADOW_VALID,
} from '../layout.js';
import { looksBetweenBlocks, type Sanitizers } from '../sanitizers.js';
import { BULK_PIECE } from '../translate/bulk-piece.js';
import { GLOBAL_ACCESS } from '../translate/lower/memory-order.js';
import type { Issuer } from './agent-races.js';
import type { GlobalRaces } from './global-races.js';
import type { HostBlock } from './host-block.js';
import { FIGURES } from './log-processor.js';
import type { Signals } from './signals.js';
import { swizzled } from './tensor-map-record.js';

const PIECE = BULK_PIECE;
/** Bytes of global memory that move together, and of shared memory in one pass through its banks. */
const SECTOR = 32;
const WAVEFRONT = 128;

/** The memories that a block's copies in bulk go between: what may be touched, and what is counted of it. */
export class BulkMemory {
  readonly #block: HostBlock;
  readonly #signals: Signals;
  readonly #checks: Sanitizers | undefined;
  readonly #between: GlobalRaces | undefined;
  readonly #figures: Float64Array | undefined;

  /**
   * @param between is told of what is read and written, where races between blocks are looked for
   * @param figures of the kernel's sites, where these are counted
   */
  constructor(
    block: HostBlock,
    signals: Signals,
    checks: Sanitizers | undefined,
    between: GlobalRaces | undefined,
    figures: Float64Array | undefined,
  ) {
    this.#block = block;
    this.#signals = signals;
    this.#checks = checks;
    this.#between = looksBetweenBlocks(checks) ? between : undefined;
    this.#figures = figures;
  }

  refuse(issuer: Issuer, note: string): never {
    throw this.#block.fault('bulk-copy', issuer, note);
  }

  // ---- counters

  #add(site: number, figure: number, value: number): void {
    if (this.#figures !== undefined) this.#figures[site * FIGURES.count + figure]! += value;
  }

  /** One execution, by one thread for all. */
  request({ site }: Issuer): void {
    this.#add(site, FIGURES.requests, 1);
  }

  /** A run of global memory that it touches. */
  #touched({ site }: Issuer, x: number, bytes: number): void {
    this.#add(site, FIGURES.sectors, Math.floor((x + bytes - 1) / SECTOR) - Math.floor(x / SECTOR) + 1);
    this.#add(site, FIGURES.bytesRequested, bytes);
    this.#add(site, FIGURES.bytesUsed, bytes);
  }

  /** What it brings to shared memory, zeros included: 128 bytes a wavefront, since a run never conflicts with itself. */
  brought({ site }: Issuer, bytes: number): void {
    this.request({ site: site + 1, thread: 0 });
    this.#add(site + 1, FIGURES.bytesRequested, bytes);
    for (const figure of [FIGURES.wavefronts, FIGURES.idealWavefronts])
      this.#add(site + 1, figure, Math.ceil(bytes / WAVEFRONT));
  }

  // ---- memory

  /** Offset in the heap of a run of global memory that may be touched. @throws KernelFault */
  global(issuer: Issuer, address: bigint, bytes: number, write: boolean): number {
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

  write(issuer: Issuer, address: bigint, bytes: Uint8Array): void {
    const x = this.global(issuer, address, bytes.length, true);
    const { u8 } = this.#block.views;
    u8.set(bytes, HEAP_START + x);
    if (this.#checks !== undefined)
      u8.fill(SHADOW_VALID, SHADOW_START + (x >>> 2), SHADOW_START + ((x + bytes.length) >>> 2));
  }

  /** Pieces of shared memory from an offset on, which must lie in it. */
  pieces(issuer: Issuer, at: number, bytes: number, swizzle = 0): Int32Array {
    const size = this.#block.field(CTX.sharedBytes);
    const pieces = Int32Array.from({ length: bytes / PIECE }, (_, i) => swizzled(at + PIECE * i, swizzle));
    if (at < 0 || at + bytes > size || pieces.some((piece) => piece + PIECE > size))
      this.refuse(issuer, `${bytes} bytes from byte ${at} on go past the ${size} bytes of shared memory`);
    return pieces;
  }

  /** What lies in shared memory, piece after piece. @throws KernelFault where nothing has been written */
  shared(issuer: Issuer, pieces: Int32Array): Uint8Array {
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
            site: { ...this.#block.site(issuer.site), space: 'shared', kind: 'load', bytes: 4 },
          },
        );
      }
    }
    return bytes;
  }
}
