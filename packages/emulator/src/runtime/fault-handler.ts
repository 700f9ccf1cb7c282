import {
  CONTROL,
  COPY_PLANE,
  COPY_THREAD_BITS,
  CTX,
  GLOBAL_BASE,
  LOCAL_WINDOW,
  QUAD,
  SHADOW_ALLOCATED,
  SHADOW_IN_FLIGHT,
  SHADOW_LANDED,
  SHADOW_LANDED_WARP,
  SHADOW_MBARRIER,
  SHADOW_START,
  SHARED_WINDOW,
} from '../layout.js';
import type { Sanitizers } from '../sanitizers.js';
import type { SiteInfo, TranslatedKernel } from '../translate/translated-kernel.js';
import { copyThere } from './copies.js';
import { type FaultKind, type FaultRecord, KernelFault } from './fault-record.js';
import { flightThere } from './host-imports.js';

/** Reads the records that translated code shares, to say which lane did what wrong. */
export class FaultHandler {
  readonly #i32: Int32Array;
  readonly #u8: Uint8Array;

  constructor(memory: ArrayBufferLike) {
    this.#i32 = new Int32Array(memory);
    this.#u8 = new Uint8Array(memory);
  }

  blockOf(ctx: number): [number, number, number] {
    const at = (ctx + CTX.ctaid) >> 2;
    return [this.#i32[at]!, this.#i32[at + 1]!, this.#i32[at + 2]!];
  }

  threadOf(state: number, lane: number): [number, number, number] {
    const read = (offset: number) => this.#i32[(state + offset) / 4 + lane]!;
    return [read(QUAD.tidX), read(QUAD.tidY), read(QUAD.tidZ)];
  }

  /** The import that translated code calls at a `trap`; throws. */
  trapFor(kernel: TranslatedKernel) {
    return (codeBlock: number, lane: number, state: number, ctx: number) => {
      const at = kernel.traps[codeBlock];
      throw new KernelFault({
        kind: 'trap',
        block: this.blockOf(ctx),
        thread: this.threadOf(state, lane),
        ...(at === undefined ? {} : { at }),
      });
    };
  }

  /**
   * The import that translated code calls where an access breaks a rule; throws.
   * @param checks what the code looks for in the shadow; undefined: only range and alignment can be wrong
   */
  importFor(kernel: TranslatedKernel, checks: Sanitizers | undefined) {
    return (
      site: number,
      address: bigint,
      stride: number,
      lanes: number,
      lane: number,
      state: number,
      ctx: number,
    ) => {
      const info = kernel.sites[site]!;
      if (lanes === 0) this.#throw('copy-size', info, address, lane, state, ctx);
      for (let i = 0; i < lanes; i++) {
        const at = address + BigInt(stride * i);
        const kind = this.#wrong(info, at, lane + i, state, ctx, checks);
        if (kind === undefined) continue;
        const note = kind.startsWith('copy-')
          ? this.#copyNote(kernel, info, at, ctx, kind)
          : kind === 'mbarrier'
            ? `one lies at byte ${at} of shared memory, which only instructions for mbarriers may touch`
            : undefined;
        this.#throw(kind, info, at, lane + i, state, ctx, note);
      }
      // One address may stand for four lanes: a copy that the first may touch is not for the others.
      for (let other = lane + 1; lanes === 1 && other % 4 !== 0; other++) {
        if (this.#wrong(info, address, other, state, ctx, checks) !== 'copy-unsynchronised') continue;
        const note = this.#copyNote(kernel, info, address, ctx, 'copy-unsynchronised');
        this.#throw('copy-unsynchronised', info, address, other, state, ctx, note);
      }
      // Between check and report another worker may have changed the shadow; blame the first lane.
      this.#throw('out-of-bounds', info, address, lane, state, ctx);
    };
  }

  /** Whose copy is in the way of an access to shared memory. */
  #copyNote(
    kernel: TranslatedKernel,
    { space, bytes }: SiteInfo,
    address: bigint,
    ctx: number,
    kind: FaultKind,
  ): string {
    const field = (offset: number) => this.#i32[(ctx + offset) >> 2]!;
    const start = Number(space === 'generic' ? address - SHARED_WINDOW : address);
    const inTheWay = (byte: number) => {
      const shadow = this.#u8[field(CTX.sharedShadow) + (byte >> 2)]!;
      const flying = shadow === SHADOW_IN_FLIGHT;
      return kind === 'copy-in-flight' ? flying : !flying && (shadow & SHADOW_ALLOCATED) !== SHADOW_ALLOCATED;
    };
    let byte = start;
    while (byte + 4 < start + bytes && !inTheWay(byte)) byte += 4;
    const flight = flightThere(ctx, byte);
    if (flight !== undefined) return flight;
    const { thread, issued } = copyThere(this.#i32, kernel, field(CTX.shared), field(CTX.copyPitch), byte);
    return `that of thread ${thread} of the block${issued}`;
  }

  #throw(
    kind: FaultKind,
    site: SiteInfo,
    address: bigint,
    lane: number,
    state: number,
    ctx: number,
    note?: string,
  ): never {
    const record: FaultRecord = {
      kind,
      block: this.blockOf(ctx),
      thread: this.threadOf(state, lane),
      site,
      address,
      ...(note === undefined ? {} : { note }),
    };
    throw new KernelFault(record);
  }

  /** What the shadow of a word of shared memory says about copies; `own`: one that the thread may touch. */
  #copied(shadow: number, word: number, thread: number, ctx: number): FaultKind | 'own' | undefined {
    if (shadow === SHADOW_IN_FLIGHT) return 'copy-in-flight';
    if (shadow === SHADOW_MBARRIER) return 'mbarrier';
    if (shadow !== SHADOW_LANDED && shadow !== SHADOW_LANDED_WARP) return undefined;
    const field = (offset: number) => this.#i32[(ctx + offset) >> 2]!;
    const plane = field(CTX.shared) + COPY_PLANE.owner * field(CTX.copyPitch);
    const owner = this.#i32[(plane >> 2) + word]! & ((1 << COPY_THREAD_BITS) - 1);
    const own = shadow === SHADOW_LANDED ? owner === thread : owner >> 5 === thread >> 5;
    return own ? 'own' : 'copy-unsynchronised';
  }

  /** What is wrong with one lane's access; undefined if nothing is. */
  #wrong(
    site: SiteInfo,
    address: bigint,
    lane: number,
    state: number,
    ctx: number,
    checks: Sanitizers | undefined,
  ): FaultKind | undefined {
    const field = (offset: number) => this.#i32[(ctx + offset) >> 2]!;
    const thread = this.#i32[(state + QUAD.linear) >> 2]! + lane;
    const sharedBytes = field(CTX.sharedBytes);
    const localBytes = field(CTX.localBytes);
    const heapBytes = this.#i32[CONTROL.heapBytes >> 2]! >>> 0;
    const windows = {
      global: { base: GLOBAL_BASE, bytes: heapBytes, shadow: SHADOW_START },
      shared: { base: 0n, bytes: sharedBytes, shadow: field(CTX.sharedShadow) },
      local: { base: 0n, bytes: localBytes, shadow: field(CTX.localShadow) + (thread * localBytes) / 4 },
    };
    const bytes = BigInt(site.bytes);
    let window: { base: bigint; bytes: number; shadow: number } | undefined;
    if (site.space === 'generic') {
      const generic = [
        windows.global,
        { ...windows.shared, base: SHARED_WINDOW },
        { ...windows.local, base: LOCAL_WINDOW },
      ];
      window = generic.find((w) => address >= w.base && address + bytes <= w.base + BigInt(w.bytes));
    } else {
      window = windows[site.space === 'const' || site.space === 'param' ? 'global' : site.space];
    }
    if (window === undefined) return 'out-of-bounds';
    const x = address - window.base;
    if (x < 0n || x + bytes > BigInt(window.bytes)) return 'out-of-bounds';
    if (x % bytes !== 0n) return 'misaligned';
    if (checks === undefined) return site.kind === 'copy' ? 'copy-in-flight' : undefined;
    let valid = true;
    for (let i = 0n; i < bytes; i++) {
      const byte = x + i;
      const shadow = this.#u8[window.shadow + Number(byte >> 2n)]!;
      const bit = 1 << Number(byte & 3n);
      if (window.shadow === field(CTX.sharedShadow)) {
        const copied = this.#copied(shadow, Number(byte >> 2n), thread, ctx);
        if (copied === 'own') continue;
        if (copied !== undefined) return copied;
      }
      if (checks.memcheck && (shadow & SHADOW_ALLOCATED & (bit << 4)) === 0) return 'out-of-bounds';
      if ((shadow & bit) === 0) valid = false;
    }
    return checks.initcheck && !valid && site.kind !== 'store' && site.kind !== 'copy'
      ? 'uninitialised-read'
      : undefined;
  }
}
