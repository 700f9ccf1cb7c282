/** How a value goes to the host: an address or a wide number, or 32 bits. */
export type HostValue = 'i64' | 'i32';

/** What the host does for translated code about mbarriers and bulk copies: values that each is given, and what it gives. */
export const HOST_CALLS = {
  /** Address, count of arrivals. */
  mbarrier_init: { values: ['i64', 'i32'], result: undefined },
  mbarrier_inval: { values: ['i64'], result: undefined },
  /** Address, bytes; the next one, too. */
  mbarrier_expect: { values: ['i64', 'i32'], result: undefined },
  mbarrier_complete: { values: ['i64', 'i32'], result: undefined },
  /** Address, count, bytes to expect first, flags; gives the state before. */
  mbarrier_arrive: { values: ['i64', 'i32', 'i32', 'i32'], result: 'i64' },
  /** Address, state or parity, flags; gives whether that phase is over. */
  mbarrier_wait: { values: ['i64', 'i64', 'i32'], result: 'pred' },
  /** Address, whether the arrival is one of those that are expected. The thread's `cp.async` have landed. */
  mbarrier_copies: { values: ['i64', 'i32'], result: undefined },
  /** To shared memory, from global memory, bytes, mbarrier. */
  bulk_load: { values: ['i64', 'i64', 'i32', 'i64'], result: undefined },
  /** To global memory, from shared memory, bytes. */
  bulk_store: { values: ['i64', 'i64', 'i32'], result: undefined },
  bulk_prefetch: { values: ['i64', 'i32'], result: undefined },
  /** To shared memory, tensor map, dimensions, coordinates with the innermost first, mbarrier. */
  tensor_load: { values: ['i64', 'i64', 'i32', 'i32', 'i32', 'i64'], result: undefined },
  /** Tensor map, from shared memory, dimensions, coordinates. */
  tensor_store: { values: ['i64', 'i64', 'i32', 'i32', 'i32'], result: undefined },
  tensor_prefetch: { values: ['i64', 'i32', 'i32', 'i32'], result: undefined },
  bulk_commit: { values: [], result: undefined },
  /** Groups that may stay. */
  bulk_wait: { values: ['i32'], result: undefined },
  /** 1: of mbarriers' initialisation only. */
  proxy_fence: { values: ['i32'], result: undefined },
} as const satisfies Readonly<
  Record<string, { readonly values: readonly HostValue[]; readonly result: 'i64' | 'pred' | undefined }>
>;

export type HostCall = keyof typeof HOST_CALLS;

/** `keeps`: the phase must not end by it. */
export const ARRIVE = { relaxed: 1, drop: 2, keeps: 4 } as const;
export const WAIT = { parity: 1, relaxed: 2 } as const;
