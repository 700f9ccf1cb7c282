import type { Dim3, FfmaErrorJson } from '@ffma/core';
import type { BlockTraffic } from '../caches/block-traffic.js';
import type { TranslationOptions } from '../translate/emit/options.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import type { FaultRecord } from './fault-record.js';
import type { LaunchRecord } from './launch-record.js';

/** A translated kernel as it is posted: the module is compiled once and shared by all workers. */
export interface PostedKernel {
  /** Names the translation among those of its device. */
  readonly key: number;
  readonly kernel: Omit<TranslatedKernel, 'wasm'>;
  readonly module: WebAssembly.Module;
}

export interface TranslateRequest {
  readonly type: 'translate';
  readonly id: number;
  readonly ptx: string;
  readonly moduleName: string;
  readonly kernel: string;
  readonly block: Dim3;
  readonly options: TranslationOptions;
  /** Folder of the translation cache; undefined: none. */
  readonly cache: string | undefined;
}

export interface RunRequest {
  readonly type: 'run';
  readonly id: number;
  readonly worker: number;
  /** The kernel, the first time a worker meets it; else only its key. */
  readonly posted: PostedKernel | undefined;
  readonly key: number;
  readonly launch: LaunchRecord;
}

export interface ForgetRequest {
  readonly type: 'forget';
  readonly keys: readonly number[];
}

export type Request = TranslateRequest | RunRequest | ForgetRequest;

export interface TranslateReply {
  readonly type: 'translated';
  readonly id: number;
  readonly kernel: Omit<TranslatedKernel, 'wasm'>;
  readonly module: WebAssembly.Module;
}

/** Counts of one worker: executions by basic block, the figures of every site, and what its blocks asked of L2. */
export interface WorkerCounts {
  readonly blocks: Float64Array;
  readonly sites: Float64Array;
  readonly traffic: readonly BlockTraffic[];
}

export interface RunReply {
  readonly type: 'ran';
  readonly id: number;
  readonly fault: FaultRecord | undefined;
  readonly counts: WorkerCounts | undefined;
}

export interface FailedReply {
  readonly type: 'failed';
  readonly id: number;
  readonly error: FfmaErrorJson | { readonly message: string };
}

export type Reply = TranslateReply | RunReply | FailedReply;
