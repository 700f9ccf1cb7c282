import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { machine } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './cache-folder.js';
import { type Environment, findExecutable } from './find-executable.js';
import { runProcess } from './run-process.js';

/** How a program is run so that chance has no part in what it does. */
export interface SteadyProcess {
  /** Program and arguments that stand before it. */
  readonly prefix: readonly string[];
  /** Variables that it is given. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A library whose random numbers and times are the same in every process, for `LD_PRELOAD`. Clocks go on by a
 * microsecond a look, so that whoever waits for them comes to an end.
 */
const source = `#include <time.h>
static unsigned state = 1;
static long looks = 0;
void srand(unsigned seed) { (void)seed; }
int rand(void) {
  state = state * 1103515245u + 12345u;
  return (int)(state >> 16 & 0x7fff);
}
time_t time(time_t* at) {
  if (at) *at = 946684800;
  return 946684800;
}
int clock_gettime(clockid_t clock, struct timespec* at) {
  (void)clock;
  at->tv_sec = 946684800 + looks / 1000000;
  at->tv_nsec = looks++ % 1000000 * 1000;
  return 0;
}
`;

/** Builds the library, once for a user. @returns its path; undefined where the C compiler does not make it */
async function steadyLibrary(gcc: string, env: Environment): Promise<string | undefined> {
  const digest = createHash('sha256').update(`${machine()}\n${source}`).digest('hex').slice(0, 16);
  const folder = join(cacheFolder(), 'steady');
  const library = join(folder, `${digest}.so`);
  if (existsSync(library)) return library;
  const made = join(folder, `${randomUUID()}.tmp`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(`${made}.c`, source);
    const args = ['-shared', '-fPIC', '-O1', `${made}.c`, '-o', made];
    await runProcess(gcc, args, { cwd: folder, env });
    await rename(made, library);
    return library;
  } catch {
    // A folder that cannot be written, or no such compiler: builds are as chance has them, and say so.
    return undefined;
  } finally {
    await rm(`${made}.c`, { force: true }).catch(() => undefined);
  }
}

/**
 * How nvcc is run so that it makes the same bytes of the same files each time. Its compiler, cicc, orders some of its
 * work by a hash of addresses and of texts: nvcc 13.0 makes either of two codes of the same file. Left to chance are
 * where memory lies, which `setarch -R` fixes for one program; the random name of a temporary file, and the time, which a
 * library in front of those of the system fixes; and the number of nvcc's own process in the names of others, which
 * `--keep` leaves out. Undefined where a container forbids the first, or there are no tools.
 */
export async function steadyProcess(program: string, env: Environment): Promise<SteadyProcess | undefined> {
  const setarch = process.platform === 'linux' ? findExecutable('setarch', env) : undefined;
  const gcc = findExecutable(env.NVCC_CCBIN || 'gcc', env) ?? findExecutable('gcc', env);
  if (setarch === undefined || gcc === undefined) return undefined;
  const library = await steadyLibrary(gcc, env);
  // LD_PRELOAD is a list, and has no way to quote what separates it.
  if (library === undefined || /[\s:]/.test(library)) return undefined;
  const prefix = [setarch, machine(), '-R'];
  const { code } = await runProcess(setarch, [...prefix.slice(1), program, '--version'], { env });
  if (code !== 0) return undefined;
  return { prefix, env: { LD_PRELOAD: [library, env.LD_PRELOAD].filter(Boolean).join(':'), TMPDIR: '.' } };
}
