import {
  CONTROL,
  CTX,
  GLOBAL_BASE,
  LOCAL_WINDOW,
  QUAD,
  SHADOW_ALLOCATED,
  SHADOW_START,
  SHARED_WINDOW,
} from '../layout.js';
import type { SiteInfo, TranslatedKernel } from '../translate/translated-kernel.js';
import { type FaultKind, type FaultRecord, KernelFault } from './fault-record.js';

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
   * @param checks whether the code keeps the shadow; if not, only range and alignment can be wrong
   */
  importFor(kernel: TranslatedKernel, checks: boolean) {
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
      for (let i = 0; i < lanes; i++) {
        const at = address + BigInt(stride * i);
        const kind = this.#wrong(info, at, lane + i, state, ctx, checks);
        if (kind !== undefined) this.#throw(kind, info, at, lane + i, state, ctx);
      }
      // Between check and report another worker may have changed the shadow; blame the first lane.
      this.#throw('out-of-bounds', info, address, lane, state, ctx);
    };
  }

  #throw(kind: FaultKind, site: SiteInfo, address: bigint, lane: number, state: number, ctx: number): never {
    const record: FaultRecord = {
      kind,
      block: this.blockOf(ctx),
      thread: this.threadOf(state, lane),
      site,
      address,
    };
    throw new KernelFault(record);
  }

  /** What is wrong with one lane's access; undefined if nothing is. */
  #wrong(
    site: SiteInfo,
    address: bigint,
    lane: number,
    state: number,
    ctx: number,
    checks: boolean,
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
    if (!checks) return undefined;
    let valid = true;
    for (let i = 0n; i < bytes; i++) {
      const byte = x + i;
      const shadow = this.#u8[window.shadow + Number(byte >> 2n)]!;
      const bit = 1 << Number(byte & 3n);
      if ((shadow & SHADOW_ALLOCATED & (bit << 4)) === 0) return 'out-of-bounds';
      if ((shadow & bit) === 0) valid = false;
    }
    return !valid && site.kind !== 'store' ? 'uninitialised-read' : undefined;
  }
}
