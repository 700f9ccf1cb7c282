/**
 * Where everything lies in the one shared WebAssembly memory of an emulated device, and the small records that
 * translated code, the workers and the host share. Sizes and offsets are bytes.
 *
 * control | arena (block slots, parameters, counters, logs) | shadow of the heap | heap = device memory
 *
 * The heap is last so that it can grow; untouched pages of the rest cost address space only.
 */
const MiB = 2 ** 20;

export const PAGE_BYTES = 65536;
export const ARENA_START = PAGE_BYTES;
export const ARENA_BYTES = 640 * MiB - PAGE_BYTES;
export const SHADOW_START = 640 * MiB;
/** One shadow byte per 4 bytes of heap. */
export const HEAP_START = 1280 * MiB;
export const MAX_HEAP_BYTES = 2560 * MiB;

/** Control words. */
export const CONTROL = {
  /** i32: bytes of heap that exist, read by every range check. */
  heapBytes: 64,
} as const;

/** Device addresses: above 2^32, windows disjoint, so that truncated or mixed-up addresses fault. */
export const GLOBAL_BASE = 0x7f00_0000_0000n;
export const SHARED_WINDOW = 0x7e00_0000_0000n;
export const LOCAL_WINDOW = 0x7d00_0000_0000n;
/** Parameters, where their address is taken: of tensor maps. */
export const PARAM_WINDOW = 0x7c00_0000_0000n;
/** Constant and module-scope variables are placed in the heap when the module is loaded. */

/** Shadow byte of a word: low nibble, bytes that hold a value; high nibble, bytes that may be touched. */
export const SHADOW_ALLOCATED = 0xf0;
export const SHADOW_VALID = 0xff;
/** Shared memory only: a copy is in flight; has landed, for its thread alone; or for its warp, after `bar.warp`. */
export const SHADOW_IN_FLIGHT = 0x00;
export const SHADOW_LANDED = 0x0f;
export const SHADOW_LANDED_WARP = 0x2f;
/** An mbarrier lies there. */
export const SHADOW_MBARRIER = 0x0e;

/** Fields of a resident block's context record (i32 unless said). */
export const CTX = {
  ctaid: 0,
  nctaid: 12,
  params: 24,
  shared: 28,
  sharedShadow: 32,
  sharedBytes: 36,
  local: 40,
  localShadow: 44,
  /** Bytes of local memory a thread. */
  localBytes: 48,
  /** Per-basic-block execution counts, f64 each. */
  blockCounts: 52,
  /** Next free byte of the access log, and where a back edge must hand control back. */
  logNext: 56,
  logSoftEnd: 60,
  smid: 64,
  nsmid: 68,
  clock: 72, // i64
  /** Bytes from shared memory to each of the planes that asynchronous copies use; see {@link COPY_PLANE}. */
  copyPitch: 80,
  /** Grows whenever a polling loop may have changed memory. */
  progress: 84,
  /** Where the race check's planes of shared memory start, bytes from each to the next, and whether a write is suspect. */
  race: 88,
  racePitch: 92,
  raceSuspects: 96,
  bytes: 112,
} as const;

/** A group of four lanes: header, then the register area of vector code, then that of diverged lanes. */
export const QUAD = {
  /** v128 of i32 each. */
  tidX: 0,
  tidY: 16,
  tidZ: 32,
  /** i32: linear thread index of lane 0. */
  linear: 48,
  /** i32: the lanes that take the branch that is about to split the group, a bit each. */
  guardBits: 52,
  /**
   * Asynchronous copies, v128 of i32 each: the lane's first and last copy in flight, the group that it will commit
   * next, and its first copy that has landed but that no barrier has shown to others. Copies are named by the word of
   * shared memory that they go to, from 1; 0 is none.
   */
  copyHead: 64,
  copyTail: 80,
  copyGroup: 96,
  copyLanded: 112,
  /**
   * Operations of a warp, v128 of i32 each: the mask of the lanes that take part, then up to three operands. Where
   * the operands were, each lane finds its result, and in the next word whether it is valid, as a mask.
   */
  warpMask: 128,
  warpOperands: 144,
  /**
   * Of the race check, i32 each: the entry that lane 0 makes now (lane i makes it plus i), the one that all four make
   * together, and that from which on entries may not come before what they do now.
   */
  race: 192,
  registers: 208,
} as const;

/**
 * Planes behind shared memory, each as large and laid out alike, where a kernel copies asynchronously: what a copy
 * brings stays in `staged` until it lands. The others hold an i32 for each word:
 * `flight` and `landed`, at a copy's first word: the next copy of the thread's list in the low 16 bits, then
 * log2(size ÷ 4) in two bits, the site in 13 (flight only), and a one on top;
 * `owner`, at every word: the copying thread in the low ten bits, and above them the group.
 */
export const COPY_PLANE = { staged: 1, flight: 2, owner: 3, landed: 4, count: 5 } as const;
export const COPY_SIZE_SHIFT = 16;
export const COPY_SITE_SHIFT = 18;
export const COPY_SITE_MASK = 0x1fff;
export const COPY_THREAD_BITS = 10;

export const LANES = 4;
export const WARP = 32;

/** Access log entry: site << 4 | lane mask, then four i32 addresses (heap offset, or offset in the window). */
export const LOG_ENTRY_BYTES = 20;

/** How translated code comes back: low three bits, and a basic block in the rest. */
export const RESULT = {
  /** The lanes have exited. */
  exit: 0,
  /** Waiting at a barrier; go on at the block. */
  barrier: 1,
  /** The branch that ends the block splits the lanes; nothing of it has happened yet. */
  diverge: 2,
  /** A diverged lane has reached the block where it must wait for the others. */
  rejoin: 3,
  /** Gave up the processor in a polling loop, or with a full log; go on at the block. */
  yield: 4,
  /** Code of another function is next, at once. */
  jump: 5,
} as const;

export const resultKind = (result: number): number => result & 7;
export const resultBlock = (result: number): number => result >>> 3;
export const encodeResult = (kind: number, block: number): number => (block << 3) | kind;
