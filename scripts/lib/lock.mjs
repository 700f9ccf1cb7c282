import { linkSync, mkdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, one by one: a file system that refuses is told, where Node.js would try for ever
 * (in /proc). @param {string} folder
 */
export function makeFolder(folder) {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  mkdirSync(folder);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** The process that has a lock; undefined where none has, or one that has ended. @param {string} path */
function ownerOf(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Takes a lock for this process, until it gives it back or ends.
 * @param {string} path of the lock's file
 * @returns {{ release: () => void } | { heldBy: number }}
 */
export function takeLock(path) {
  makeFolder(dirname(path));
  const own = `${path}.${process.pid}`;
  writeFileSync(own, String(process.pid));
  try {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        // A link appears with its content, so nobody reads a lock that says nothing yet.
        linkSync(own, path);
        const release = () => rmSync(path, { force: true });
        process.on('exit', release);
        return {
          release: () => {
            process.off('exit', release);
            release();
          },
        };
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
        const heldBy = ownerOf(path);
        if (heldBy !== undefined) return { heldBy };
        rmSync(path, { force: true });
      }
    }
    return { heldBy: ownerOf(path) ?? 0 };
  } finally {
    unlinkSync(own);
  }
}
