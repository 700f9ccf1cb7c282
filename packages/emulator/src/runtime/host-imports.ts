import { QUAD } from '../layout.js';
import type { Issuer } from './agent-races.js';
import { type BulkCopies, sharedOffset } from './bulk-copies.js';
import type { BulkStores } from './bulk-stores.js';
import type { HostBlock } from './host-block.js';
import type { Signals } from './signals.js';

/** What a resident block's code asks the host about. */
export interface BlockHost {
  readonly block: HostBlock;
  readonly signals: Signals;
  readonly stores: BulkStores;
  readonly bulk: BulkCopies;
}

/** Of the blocks that are resident in this worker, by their context record. */
const hosts = new Map<number, BlockHost>();

export const registerHost = (host: BlockHost): void => {
  hosts.set(host.block.ctx, host);
};

/** Another block is in the slot. */
export function startHost({ signals, stores }: BlockHost): void {
  signals.start();
  stores.start();
}

/** The block has ended. @throws KernelFault where something was not waited for */
export function endHost({ block, signals, stores }: BlockHost): void {
  if (!block.mode.awaited) return;
  const { unawaited: flight } = signals;
  if (flight !== undefined)
    throw block.fault('copy-never-awaited', flight.issuer, `${flight.pieces[0]} of shared memory`);
  const { unawaited: issuer } = stores;
  if (issuer !== undefined) throw block.fault('copy-never-awaited', issuer, 'of global memory');
}

/** What is in the way at a byte of a block's shared memory, as a sentence. */
export const flightThere = (ctx: number, byte: number): string | undefined =>
  hosts.get(ctx)?.signals.flightAt(byte);

/** The imports of `HOST_CALLS`: site, values, then lane, state and ctx. */
export function hostImports(i32: Int32Array) {
  const of = (site: number, lane: number, state: number, ctx: number): BlockHost & { issuer: Issuer } => ({
    ...hosts.get(ctx)!,
    issuer: { site, thread: i32[(state + QUAD.linear) >> 2]! + lane },
  });
  return {
    mbarrier_init: (site: number, at: bigint, count: number, lane: number, state: number, ctx: number) => {
      const { signals, issuer } = of(site, lane, state, ctx);
      signals.init(issuer, sharedOffset(at), count >>> 0);
    },
    mbarrier_inval: (site: number, at: bigint, lane: number, state: number, ctx: number) => {
      const { signals, issuer } = of(site, lane, state, ctx);
      signals.invalidate(issuer, sharedOffset(at));
    },
    mbarrier_expect: (site: number, at: bigint, bytes: number, lane: number, state: number, ctx: number) => {
      const { signals, issuer } = of(site, lane, state, ctx);
      signals.expect(issuer, sharedOffset(at), bytes >>> 0);
    },
    mbarrier_complete: (
      site: number,
      at: bigint,
      bytes: number,
      lane: number,
      state: number,
      ctx: number,
    ) => {
      const { signals, issuer } = of(site, lane, state, ctx);
      signals.complete(issuer, sharedOffset(at), bytes >>> 0);
    },
    mbarrier_arrive: (
      site: number,
      at: bigint,
      count: number,
      bytes: number,
      flags: number,
      lane: number,
      state: number,
      ctx: number,
    ): bigint => {
      const { signals, issuer } = of(site, lane, state, ctx);
      return signals.arrive(issuer, sharedOffset(at), count >>> 0, bytes >>> 0, flags);
    },
    mbarrier_wait: (
      site: number,
      at: bigint,
      phase: bigint,
      flags: number,
      lane: number,
      state: number,
      ctx: number,
    ): number => {
      const { signals, issuer } = of(site, lane, state, ctx);
      return signals.wait(issuer, sharedOffset(at), phase, flags) ? 1 : 0;
    },
    mbarrier_copies: (
      site: number,
      at: bigint,
      expected: number,
      lane: number,
      state: number,
      ctx: number,
    ) => {
      const { signals, issuer } = of(site, lane, state, ctx);
      signals.copiesArrive(issuer, sharedOffset(at), expected !== 0);
    },
    bulk_load: (
      site: number,
      to: bigint,
      from: bigint,
      size: number,
      barrier: bigint,
      lane: number,
      state: number,
      ctx: number,
    ) => {
      const { bulk, issuer } = of(site, lane, state, ctx);
      bulk.load(issuer, to, from, size >>> 0, barrier);
    },
    bulk_store: (
      site: number,
      to: bigint,
      from: bigint,
      size: number,
      lane: number,
      state: number,
      ctx: number,
    ) => {
      const { bulk, issuer } = of(site, lane, state, ctx);
      bulk.store(issuer, to, from, size >>> 0);
    },
    bulk_prefetch: (site: number, from: bigint, size: number, lane: number, state: number, ctx: number) => {
      const { bulk, issuer } = of(site, lane, state, ctx);
      bulk.prefetch(issuer, from, size >>> 0);
    },
    tensor_load: (
      site: number,
      to: bigint,
      map: bigint,
      dimensions: number,
      col: number,
      row: number,
      barrier: bigint,
      lane: number,
      state: number,
      ctx: number,
    ) => {
      const { bulk, issuer } = of(site, lane, state, ctx);
      bulk.tensorLoad(issuer, to, map, dimensions, col, row, barrier);
    },
    tensor_store: (
      site: number,
      map: bigint,
      from: bigint,
      dimensions: number,
      col: number,
      row: number,
      lane: number,
      state: number,
      ctx: number,
    ) => {
      const { bulk, issuer } = of(site, lane, state, ctx);
      bulk.tensorStore(issuer, map, from, dimensions, col, row);
    },
    tensor_prefetch: (
      site: number,
      map: bigint,
      dimensions: number,
      col: number,
      row: number,
      lane: number,
      state: number,
      ctx: number,
    ) => {
      const { bulk, issuer } = of(site, lane, state, ctx);
      bulk.tensorPrefetch(issuer, map, dimensions, col, row);
    },
    bulk_commit: (site: number, lane: number, state: number, ctx: number) => {
      const { stores, issuer } = of(site, lane, state, ctx);
      stores.commit(issuer.thread);
    },
    bulk_wait: (site: number, pending: number, lane: number, state: number, ctx: number) => {
      const { stores, issuer } = of(site, lane, state, ctx);
      stores.wait(issuer.thread, pending);
    },
    proxy_fence: (site: number, barriersOnly: number, lane: number, state: number, ctx: number) => {
      const { signals, issuer } = of(site, lane, state, ctx);
      signals.fence(issuer.thread, barriersOnly !== 0);
    },
  };
}
