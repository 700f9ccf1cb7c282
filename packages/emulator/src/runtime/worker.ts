import { parentPort, workerData } from 'node:worker_threads';
import { FfmaError } from '@ffma/core';
import { untranslatable } from '../translate/located.js';
import { executeLaunch } from './execute-launch.js';
import type { FailedReply, PostedKernel, Reply, Request } from './messages.js';
import { translateCached } from './translation-cache.js';

/** Entry point of a worker thread: translates kernels, and runs its share of a launch's blocks. */
const port = parentPort;
if (port === null) throw new Error('worker.js is started by the emulator, as a worker thread.');
const { memory } = workerData as { memory: WebAssembly.Memory };
const kernels = new Map<number, PostedKernel>();

function failed(id: number, error: unknown): FailedReply {
  const json =
    error instanceof FfmaError
      ? error.toJSON()
      : { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  return { type: 'failed', id, error: json };
}

async function answer(request: Request): Promise<Reply | undefined> {
  switch (request.type) {
    case 'translate': {
      try {
        const { wasm, ...kernel } = await translateCached(request);
        return { type: 'translated', id: request.id, kernel, module: await WebAssembly.compile(wasm) };
      } catch (cause) {
        throw untranslatable(request.kernel, cause);
      }
    }
    case 'run': {
      if (request.posted !== undefined) kernels.set(request.key, request.posted);
      return {
        type: 'ran',
        id: request.id,
        ...executeLaunch(kernels.get(request.key)!, request.launch, request.worker, memory),
      };
    }
    case 'forget':
      for (const key of request.keys) kernels.delete(key);
      return undefined;
  }
}

/** What is handed over instead of copied: the traffic of blocks can be hundreds of megabytes. */
function transferred(reply: Reply): ArrayBuffer[] {
  const traffic = reply.type === 'ran' ? (reply.counts?.traffic ?? []) : [];
  return traffic.map(({ words }) => words.buffer as ArrayBuffer);
}

port.on('message', (request: Request) => {
  answer(request).then(
    (reply) => {
      if (reply !== undefined) port.postMessage(reply, transferred(reply));
    },
    (error) => {
      if (request.type !== 'forget') port.postMessage(failed(request.id, error));
    },
  );
});
