import { join } from 'node:path';
import {
  type Buffer,
  ClosedError,
  checkedEventOptions,
  checkObjectCode,
  checkOwn,
  type Device,
  type DeviceLimits,
  type DeviceProvider,
  type Dim3,
  type EventOptions,
  type KernelArg,
  type LaunchConfig,
  type LoadedObject,
  type MemInfo,
  matrixOf,
  type ObjectCode,
  type TensorMap,
  type TensorMapOptions,
  type TensorMapper,
  tensorMapRequest,
} from '@ffma/core';
import { cacheFolder } from '@ffma/core/compile';
import type { LaunchProfile } from '../counters/launch-profile.js';
import { Heap, QUARANTINE_BYTES } from '../runtime/heap.js';
import type { LaunchRecord } from '../runtime/launch-record.js';
import type { PostedKernel, RunReply } from '../runtime/messages.js';
import { type Schedule, scheduleText } from '../runtime/schedule.js';
import { encodeTensorMap } from '../runtime/tensor-map-record.js';
import { WorkerPool } from '../runtime/worker-pool.js';
import type { Sanitizers } from '../sanitizers.js';
import type { TranslationOptions } from '../translate/emit/options.js';
import { type L2Options, launchCaches } from './counter-options.js';
import { EmulatorBuffer } from './emulator-buffer.js';
import { EmulatorEvent } from './emulator-event.js';
import { type EmulatorKernel, EmulatorObject } from './emulator-object.js';
import { EmulatorStream, isWorthTelling, type StreamFailure } from './emulator-stream.js';
import { faultError, firstFault } from './fault-error.js';
import { chooseFmaPath } from './fma-path.js';
import { planLaunch, stopLaunch, writeLaunch } from './launch-plan.js';
import { launchProfile } from './launch-profiles.js';
import type { Leak } from './leaks.js';
import { OpenBuffers } from './open-buffers.js';
import { checkedOptions, type EmulatorOptions } from './options.js';
import { type DeviceProfile, type ProfileName, profiles } from './profiles.js';

/** A device on the CPU: runs the PTX that kernel packages ship, checks it, and counts what it does. */
export class EmulatorDevice implements Device, TensorMapper {
  readonly kind = 'emulator';
  readonly name: string;
  readonly arch: string;
  readonly formats = ['ptx'] as const;
  readonly limits: DeviceLimits;
  readonly lost = undefined;
  /** GPU whose limits and architecture are emulated. */
  readonly profile: ProfileName;
  /** Which way exact FMAs are computed. */
  readonly fma: 'relaxed' | 'f64';
  /** Whether memory is checked while kernels run, and for what. */
  readonly checks: boolean;
  readonly approximations: boolean;
  readonly sanitizers: Sanitizers;
  readonly counters: boolean;
  /** What the model of the L2 cache assumes; undefined: none is made. */
  readonly l2: L2Options | undefined;
  /** In which order blocks start and warps run; undefined: by number, on all workers. */
  readonly schedule: Schedule | undefined;
  /** Worker threads. */
  readonly workers: number;
  readonly #heap: Heap;
  readonly #pool: WorkerPool;
  readonly #cache: string | undefined;
  readonly #streams = new Set<EmulatorStream>();
  readonly #buffers: OpenBuffers;
  readonly #modules = new Set<WeakRef<EmulatorObject>>();
  /** What each worker knows: keys of kernels posted to it. */
  readonly #posted: Set<number>[];
  #profiles: LaunchProfile[] = [];
  /** Launches run one at a time: each uses all workers. */
  #turn: Promise<void> = Promise.resolve();
  /** Failure of a stream that was closed before it delivered it. */
  #undelivered: StreamFailure | undefined;
  #nextKey = 1;
  #closed = false;

  /** @throws ArgumentError, UnavailableError, OutOfMemoryError */
  constructor(options: EmulatorOptions = {}) {
    const { profile, workers, checks, sanitizers, approximations, counters, l2, fma, cache, schedule } =
      checkedOptions(options);
    const { title, arch, limits }: DeviceProfile = profiles[profile];
    this.fma = chooseFmaPath(fma);
    this.checks = checks;
    this.approximations = approximations;
    this.sanitizers = Object.freeze(sanitizers);
    this.#heap = new Heap(sanitizers.memcheck ? QUARANTINE_BYTES : 0);
    this.#buffers = new OpenBuffers(sanitizers.memcheck);
    this.counters = counters;
    this.l2 = l2;
    this.schedule = schedule === undefined ? undefined : Object.freeze({ ...schedule });
    this.workers = workers;
    this.name = `emulated ${title} (${workers} ${workers === 1 ? 'worker' : 'workers'})`;
    this.arch = arch;
    this.profile = profile;
    this.limits = limits;
    this.#pool = new WorkerPool(workers, this.#heap.memory, (worker) => this.#posted[worker]!.clear());
    this.#posted = Array.from({ length: workers }, () => new Set<number>());
    this.#cache = cache ? join(cacheFolder(), 'emulator') : undefined;
  }

  get closed(): boolean {
    return this.#closed;
  }

  #open(): void {
    if (this.#closed) throw new ClosedError('emulator device');
  }

  allocateSync(byteLength: number): EmulatorBuffer {
    this.#open();
    const buffer = new EmulatorBuffer(
      {
        device: this,
        heap: this.#heap,
        afterPendingWork: (free) => this.#afterPendingWork(free),
        onFree: (start) => this.#buffers.free(start),
      },
      byteLength,
    );
    this.#buffers.add(buffer);
    return buffer;
  }

  async allocate(byteLength: number): Promise<Buffer> {
    return this.allocateSync(byteLength);
  }

  /**
   * A matrix and its tiles, for kernels that copy by them. Only this emulator reads what the bytes say.
   * @throws ArgumentError, ClosedError
   */
  encodeTensorMap(options: TensorMapOptions): TensorMap {
    this.#open();
    const buffer = matrixOf(options);
    checkOwn(this, buffer, { type: EmulatorBuffer, what: 'buffer', owner: 'tensor map' });
    const { address, globalDim, globalStrides, boxDim, swizzle } = tensorMapRequest(options);
    const bytes = encodeTensorMap({
      address,
      cols: Number(globalDim[0]),
      rows: Number(globalDim[1]),
      pitch: Number(globalStrides[0]),
      tileCols: boxDim[0]!,
      tileRows: boxDim[1]!,
      swizzle,
    });
    return { buffer, bytes };
  }

  createStream(): EmulatorStream {
    this.#open();
    const stream: EmulatorStream = new EmulatorStream(
      this,
      (config, kernel, args) => () => this.#launch(config, kernel as EmulatorKernel, args),
      () => {
        void stream.drained.then(() => {
          this.#streams.delete(stream);
          this.#undelivered ??= stream.takeFailure();
        });
      },
    );
    this.#streams.add(stream);
    return stream;
  }

  createEvent(options?: EventOptions): EmulatorEvent {
    this.#open();
    return new EmulatorEvent(this, checkedEventOptions(options).timing);
  }

  /** @throws CompileError naming an unknown instruction and its line; UnsupportedError for machine code or newer PTX */
  async load(object: ObjectCode): Promise<LoadedObject> {
    this.#open();
    checkObjectCode(object);
    const loaded = new EmulatorObject(
      {
        device: this,
        heap: this.#heap,
        approximations: this.approximations,
        translate: (ptx, moduleName, kernel, block) => this.#translate(ptx, moduleName, kernel, block),
        afterPendingWork: (free) => this.#afterPendingWork(free),
        forget: (keys) => this.#forget(keys),
      },
      object,
    );
    for (const held of this.#modules) if (held.deref()?.closed !== false) this.#modules.delete(held);
    this.#modules.add(new WeakRef(loaded));
    return loaded;
  }

  memInfo(): MemInfo {
    return { free: this.#heap.free, total: this.#heap.total };
  }

  async synchronize(): Promise<void> {
    this.#open();
    const failure = await this.#settled();
    if (failure !== undefined) throw failure.error;
  }

  /** Waits for all streams, closed ones too, and takes what nobody has been told of; the first is as good as all. */
  async #settled(): Promise<StreamFailure | undefined> {
    const streams = [...this.#streams];
    await Promise.all(streams.map((stream) => stream.drained));
    const failures = [this.#undelivered, ...streams.map((stream) => stream.takeFailure())];
    this.#undelivered = undefined;
    return failures.find((failure) => failure !== undefined);
  }

  /** Profiles of the launches that finished since the last call, in order. Empty unless `counters` is on. */
  takeProfiles(): LaunchProfile[] {
    const taken = this.#profiles;
    this.#profiles = [];
    return taken;
  }

  #afterPendingWork(free: () => void): void {
    const busy = [...this.#streams].filter((stream) => stream.busy);
    if (busy.length === 0) free();
    else void Promise.all(busy.map((stream) => stream.drained)).then(free);
  }

  #forget(keys: readonly number[]): void {
    if (keys.length === 0 || this.#closed) return;
    for (const known of this.#posted) for (const key of keys) known.delete(key);
    this.#pool.forget(keys);
  }

  async #translate(ptx: string, moduleName: string, kernel: string, block: Dim3): Promise<PostedKernel> {
    const options: TranslationOptions = {
      fma: this.fma,
      checks: this.checks,
      sanitizers: this.sanitizers,
      counters: this.counters,
      ...(this.schedule?.copies === 'early' ? { copies: 'early' } : {}),
    };
    const reply = await this.#pool.translate({ ptx, moduleName, kernel, block, options, cache: this.#cache });
    return { key: this.#nextKey++, kernel: reply.kernel, module: reply.module };
  }

  async #launch(config: LaunchConfig, kernel: EmulatorKernel, args: readonly KernelArg[]): Promise<void> {
    const posted = await kernel.translated(config.block);
    const run = this.#turn.then(() => this.#runAll(config, kernel, posted, args));
    this.#turn = run.catch(() => undefined);
    await run;
  }

  async #runAll(
    config: LaunchConfig,
    kernel: EmulatorKernel,
    posted: PostedKernel,
    args: readonly KernelArg[],
  ): Promise<void> {
    const ownShared = kernel.memory.sharedBytes + (config.sharedBytes ?? 0);
    const caches =
      this.l2 === undefined ? undefined : launchCaches(this.l2, kernel.name, config, ownShared, this.limits);
    const l1Bytes = caches?.l1Bytes ?? 0;
    const { checks, sanitizers, counters, schedule } = this;
    const mode = { checks, sanitizers, counters, l1Bytes, schedule };
    const launch = planLaunch(kernel, posted.kernel, config, this.workers, mode, this.limits);
    writeLaunch(this.#heap.memory.buffer, kernel, launch, args, posted.kernel.classes.length);
    const replies = await this.#onAllWorkers(posted, launch);
    const fault = firstFault(replies, config);
    if (fault !== undefined) {
      const { sharedBytes, localBytes } = launch;
      const buffers = this.#buffers.named(args);
      const schedule = this.schedule === undefined ? {} : { schedule: scheduleText(this.schedule) };
      throw faultError(fault, { kernel: kernel.name, buffers, sharedBytes, localBytes, ...schedule });
    }
    if (this.counters) {
      const counts = replies.flatMap(({ counts }) => (counts === undefined ? [] : [counts]));
      this.#profiles.push(launchProfile(posted.kernel, config, counts, caches?.l2));
    }
  }

  /** Resolves when every worker has stopped; a worker that is lost stops the others. */
  async #onAllWorkers(posted: PostedKernel, launch: LaunchRecord): Promise<RunReply[]> {
    const replies = launch.slots.map(async (_, worker) => {
      const known = this.#posted[worker]!;
      const first = !known.has(posted.key);
      known.add(posted.key);
      try {
        return await this.#pool.run(worker, { key: posted.key, posted: first ? posted : undefined, launch });
      } catch (error) {
        stopLaunch(this.#heap.memory.buffer, launch);
        throw error;
      }
    });
    await Promise.allSettled(replies);
    return Promise.all(replies);
  }

  /** Buffers and modules that are open now; before the device is closed, those that nobody closed. */
  leaks(): Leak[] {
    const modules = [...this.#modules].flatMap((held) => {
      const module = held.deref();
      return module === undefined || module.closed ? [] : [module.leak()];
    });
    return [...this.#buffers.leaks(), ...modules];
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pool.close();
    for (const stream of this.#streams) stream.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** @throws the first failure that no stream has delivered; the device is closed all the same */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    const failure = await this.#settled();
    this.close();
    if (isWorthTelling(failure)) throw failure.error;
  }
}

/** Opens emulated devices: what `openDevice('emulator', options)` finds. */
export const deviceProvider: DeviceProvider = {
  kind: 'emulator',
  open: async (options) => new EmulatorDevice(options),
};
