import { Worker } from 'node:worker_threads';
import { ClosedError, errorFromJson, FfmaError, type FfmaErrorJson, UnavailableError } from '@ffma/core';
import type {
  ForgetRequest,
  Reply,
  Request,
  RunReply,
  RunRequest,
  TranslateReply,
  TranslateRequest,
} from './messages.js';

interface Pending {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

type Without<T> = T extends unknown ? Omit<T, 'id'> : never;

/** The emulator's worker threads. They are started when first needed, and keep the process alive only while busy. */
export class WorkerPool {
  readonly size: number;
  readonly #memory: WebAssembly.Memory;
  readonly #workers: (Worker | undefined)[];
  readonly #pending = new Map<number, Pending & { worker: number }>();
  readonly #onLost: (worker: number) => void;
  #nextId = 1;
  #closed = false;

  /** @param onLost called when a worker has ended early; another takes its place, and knows nothing yet */
  constructor(size: number, memory: WebAssembly.Memory, onLost: (worker: number) => void) {
    this.#onLost = onLost;
    this.size = size;
    this.#memory = memory;
    this.#workers = new Array<Worker | undefined>(size).fill(undefined);
  }

  #worker(index: number): Worker {
    const known = this.#workers[index];
    if (known !== undefined) return known;
    // From TypeScript sources (tests) the built worker is used.
    const url = new URL(
      import.meta.url.endsWith('.ts') ? '../../dist/runtime/worker.js' : './worker.js',
      import.meta.url,
    );
    const worker = new Worker(url, {
      workerData: { memory: this.#memory },
      execArgv: [],
      name: `ffma-emulator-${index}`,
    });
    worker.on('message', (reply: Reply) => this.#settle(reply));
    // The end of a worker is told twice, and another may have taken its place in between.
    const lost = (cause: Error) => {
      if (this.#workers[index] === worker) this.#fail(index, cause);
    };
    worker.on('error', lost);
    worker.on('exit', () => lost(new UnavailableError(`Emulator worker ${index} ended early.`)));
    worker.unref();
    this.#workers[index] = worker;
    return worker;
  }

  #settle(reply: Reply): void {
    const pending = this.#pending.get(reply.id);
    if (pending === undefined) return;
    this.#pending.delete(reply.id);
    this.#restIfIdle(pending.worker);
    if (reply.type !== 'failed') {
      pending.resolve(reply);
      return;
    }
    const { error } = reply;
    pending.reject(
      'code' in error
        ? errorFromJson(error as FfmaErrorJson)
        : new Error(`The emulator failed: ${error.message}`),
    );
  }

  #restIfIdle(worker: number): void {
    for (const pending of this.#pending.values()) if (pending.worker === worker) return;
    this.#workers[worker]?.unref();
  }

  #fail(worker: number, cause: Error): void {
    this.#workers[worker] = undefined;
    this.#onLost(worker);
    for (const [id, pending] of this.#pending) {
      if (pending.worker !== worker) continue;
      this.#pending.delete(id);
      pending.reject(
        this.#closed
          ? new ClosedError('emulator device')
          : cause instanceof FfmaError
            ? cause
            : new Error('An emulator worker failed.', { cause }),
      );
    }
  }

  #ask(index: number, request: Without<TranslateRequest | RunRequest>): Promise<Reply> {
    if (this.#closed) return Promise.reject(new ClosedError('emulator device'));
    const id = this.#nextId++;
    const worker = this.#worker(index);
    worker.ref();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, worker: index });
      worker.postMessage({ ...request, id } as Request);
    });
  }

  translate(request: Omit<TranslateRequest, 'id' | 'type'>): Promise<TranslateReply> {
    return this.#ask(0, { type: 'translate', ...request }) as Promise<TranslateReply>;
  }

  run(index: number, request: Omit<RunRequest, 'id' | 'type' | 'worker'>): Promise<RunReply> {
    return this.#ask(index, { type: 'run', worker: index, ...request }) as Promise<RunReply>;
  }

  /** Drops kernels that were unloaded. */
  forget(keys: readonly number[]): void {
    const request: ForgetRequest = { type: 'forget', keys };
    for (const worker of this.#workers) worker?.postMessage(request);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const [index, worker] of this.#workers.entries()) {
      if (worker === undefined) continue;
      void worker.terminate();
      this.#fail(index, new ClosedError('emulator device'));
    }
  }
}
