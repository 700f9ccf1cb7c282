import type { Io, Output } from '../cli/io.js';

interface Recorded extends Output {
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
  return { stdout: recorder(isTTY), stderr: recorder(isTTY), env, cwd, exitCode: 0 } satisfies Io;
}
