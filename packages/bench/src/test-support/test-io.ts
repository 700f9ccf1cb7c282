import type { Io, Output } from '../cli/io.js';

export interface Recorded extends Output {
  text: string;
}

function recorder(isTTY: boolean): Recorded {
  return {
    isTTY,
    columns: 80,
    text: '',
    write(text: string) {
      this.text += text;
      return true;
    },
  };
}

/** An `Io` that records what is written. */
export function testIo(options: { cwd?: string; env?: NodeJS.ProcessEnv; isTTY?: boolean } = {}) {
  const { cwd = process.cwd(), env = {}, isTTY = false } = options;
  const handlers = new Set<() => void>();
  return {
    stdout: recorder(isTTY),
    stderr: recorder(isTTY),
    env,
    cwd,
    exitCode: 0,
    onInterrupt(handler: () => void) {
      handlers.add(handler);
      return { [Symbol.dispose]: () => void handlers.delete(handler) };
    },
    /** Ctrl-C. @returns whether anybody listens */
    interrupt() {
      for (const handler of handlers) handler();
      return handlers.size > 0;
    },
  } satisfies Io & { interrupt(): boolean };
}
