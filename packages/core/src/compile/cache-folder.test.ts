import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder } from './cache-folder.js';

describe('cacheFolder', () => {
  it('follows the platform', () => {
    expect(cacheFolder({}, 'linux')).toBe(join(homedir(), '.cache', 'ffma'));
    expect(cacheFolder({ XDG_CACHE_HOME: '/x' }, 'linux')).toBe(join('/x', 'ffma'));
    expect(cacheFolder({}, 'darwin')).toBe(join(homedir(), 'Library', 'Caches', 'ffma'));
    expect(cacheFolder({ LOCALAPPDATA: '/local' }, 'win32')).toBe(join('/local', 'ffma', 'Cache'));
  });

  it('is FFMA_CACHE_DIR where that is set', () => {
    expect(cacheFolder({ FFMA_CACHE_DIR: '/mine', XDG_CACHE_HOME: '/x' }, 'linux')).toBe('/mine');
  });
});
