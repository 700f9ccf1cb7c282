import { closeSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** In the order of words.h. */
const words = [
  'retainedContexts',
  'pushedContexts',
  'liveHandles',
  'createdHandles',
  'workspaceBytes',
  'mathMode',
  'products',
  'scalings',
  'failCreate',
  'failProduct',
  'streamState',
  'streamsMissed',
  'waitingDestroys',
] as const;
export type StubWord = (typeof words)[number];

/** What the stub libraries count, and orders to them. They find the file by a variable of the environment. */
export class StubWords implements Disposable {
  readonly #file: number;

  constructor(folder: string) {
    const path = join(folder, 'words');
    this.#file = openSync(path, 'w+');
    ftruncateSync(this.#file, 4096);
    process.env.FFMA_STUB_WORDS = path;
  }

  read(name: StubWord): number {
    const value = new Int32Array(1);
    readSync(this.#file, value, 0, 4, words.indexOf(name) * 4);
    return value[0] as number;
  }

  write(name: StubWord, value: number): void {
    writeSync(this.#file, new Int32Array([value]), 0, 4, words.indexOf(name) * 4);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
