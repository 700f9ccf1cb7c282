import { fileURLToPath } from 'node:url';
import { sizeText } from '../bench/sizes.js';
import type { ProfileTask } from './task.js';

/** The `ffma` command of this package. */
const bin = fileURLToPath(new URL('../../bin/ffma.js', import.meta.url));

export interface ProgramOptions {
  readonly warmUps: number;
  readonly compile?: boolean | undefined;
  /** Where it writes what it did. */
  readonly report?: string | undefined;
  /** Default `cuda`; tests have no other. */
  readonly device?: 'cuda' | 'emulator' | undefined;
}

/** The program that is profiled: `ffma launch`, by the Node.js that runs this. */
export function programOf(
  { kernel, size }: Pick<ProfileTask, 'kernel' | 'size'>,
  { warmUps, compile, report, device = 'cuda' }: ProgramOptions,
): string[] {
  return [
    process.execPath,
    bin,
    'launch',
    `${kernel.kernel.package.name}/${kernel.gemm.id}`,
    ...['--size', sizeText(size), '--warm-ups', String(warmUps), '--device', device],
    ...(compile === true ? ['--compile'] : []),
    ...(report === undefined ? [] : ['--json', report]),
  ];
}
