import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from './find-executable.js';

/** Folder for what ffma can make again: `FFMA_CACHE_DIR`, else `ffma` in the platform's cache folder. */
export function cacheFolder(
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  if (env.FFMA_CACHE_DIR) return env.FFMA_CACHE_DIR;
  if (platform === 'win32')
    return join(env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'), 'ffma', 'Cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'ffma');
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'ffma');
}
