// Runs in the process of each GPU test file, before it. vitest does not wait for the end of one process before it
// starts the next.
import { waitForTurn } from './turn.mjs';

await waitForTurn({ self: process.pid, parent: process.ppid, limitMs: 20_000 });
