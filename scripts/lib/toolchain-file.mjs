import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Text of `.toolchain.json`: the versions that a build's result depends on. Turbo sees no tools, only files,
 * so this file is an input of every build.
 * @param {import('./prerequisites.mjs').Found} found
 */
export function toolchainText(found) {
  const { node, ...tools } = found;
  const entries = Object.entries(tools).map(([name, tool]) => [
    name,
    tool && { path: tool.path, version: tool.version },
  ]);
  return `${JSON.stringify({ platform: `${process.platform}-${process.arch}`, node, ...Object.fromEntries(entries) }, null, 2)}\n`;
}

/**
 * Writes a file only where its text changes.
 * @param {string} path
 * @param {string} text
 * @returns {boolean} whether it changed
 */
export function writeIfChanged(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return false;
  writeFileSync(path, text);
  return true;
}
