import { setFlagsFromString } from 'node:v8';
import { processIo } from './io.js';
import { reportError } from './report-error.js';
import { run } from './run.js';

// Node 20 hides relaxed SIMD, the emulator's fast way to an exact FMA, behind this flag of the whole process. Later
// ones have it switched on and complain of the flag.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--experimental-wasm-relaxed-simd');

const io = processIo();
process.on('uncaughtException', (error) => process.exit(reportError(error, io)));
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read the output has seen enough (`ffma list | head`).
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
process.exitCode = await run(process.argv.slice(2), io);
// What waits for the kernel would keep the process alive.
if (io.leftRunning === true) process.exit();
