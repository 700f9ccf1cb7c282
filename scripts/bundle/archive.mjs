import { createHash } from 'node:crypto';
import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from '../lib/run.mjs';

/** @typedef {import('./sizes.mjs').Part} Part */

/** Two blocks of zeros end a tar file; between parts there must be none. */
const END_OF_TAR = 1024;

/** Of every file, so that the same contents give the same archive: 2000-01-01. */
const TIME = '@946684800';

/**
 * Programs that compress `file` to `file<ending>`, the same bytes to the same. Of both, several outputs one after the
 * other are one file to tar.
 */
export const compressors = {
  // The number of threads is fixed because it shapes the stream.
  xz: { program: 'xz', args: ['-6', '--threads=4', '--force'], ending: '.xz' },
  gzip: { program: 'gzip', args: ['-9', '--no-name', '--force'], ending: '.gz' },
};

/** @typedef {typeof compressors['xz']} Compressor */

/**
 * All files and links below a folder, with `/`, by part.
 * @param {string} folder
 * @param {(file: string) => string} partOf
 * @returns {Map<string, string[]>}
 */
export function filesByPart(folder, partOf) {
  /** @type {Map<string, string[]>} */
  const parts = new Map();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue;
    const file = relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/');
    parts.set(partOf(file), [...(parts.get(partOf(file)) ?? []), file]);
  }
  return new Map([...parts].sort(([x], [y]) => (x < y ? -1 : 1)));
}

/** @param {string} program @param {readonly string[]} args */
async function must(program, args) {
  const env = { GZIP: '', XZ_OPT: '', XZ_DEFAULTS: '', TAR_OPTIONS: '' };
  const { code, output } = await run(program, args, { env });
  if (code !== 0) throw new Error(`${program} failed with exit code ${code}.\n${output}`);
}

/** @param {string} file @param {Compressor} compressor */
async function digest(file, { program, args }) {
  const hash = createHash('sha256').update([program, ...args].join(' '));
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/**
 * Writes files of a folder as a tar file; all but the last of a row of such files can be joined.
 * @param {string} folder becomes the top folder
 * @param {readonly string[]} files relative to it
 * @param {string} tar path to write
 * @param {boolean} last
 */
async function writeTar(folder, files, tar, last) {
  const list = `${tar}.list`;
  writeFileSync(
    list,
    [...files]
      .sort()
      .map((file) => `${basename(folder)}/${file}\0`)
      .join(''),
  );
  await must('tar', [
    ...['--create', `--file=${tar}`, '--format=gnu', '--blocking-factor=1', '--no-recursion'],
    ...[`--mtime=${TIME}`, '--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+w'],
    ...[`--directory=${dirname(folder)}`, '--null', `--files-from=${list}`],
  ]);
  if (!last) truncateSync(tar, statSync(tar).size - END_OF_TAR);
  rmSync(list);
}

/**
 * Packs a folder part by part. Each part is compressed on its own, so its size in the archive is known, and one that
 * did not change is not compressed again.
 * @param {string} folder becomes the top folder of the archive
 * @param {ReadonlyMap<string, readonly string[]>} parts paths relative to the folder, by part
 * @param {string} archive path to write
 * @param {string} cache folder with the compressed parts of the last time
 * @param {Compressor} [compressor]
 * @returns {Promise<Part[]>}
 */
export async function pack(folder, parts, archive, cache, compressor = compressors.xz) {
  const partial = `${archive}.partial`;
  const tar = join(cache, 'part.tar');
  for (const each of [dirname(archive), cache]) mkdirSync(each, { recursive: true });
  for (const each of [archive, partial]) rmSync(each, { force: true });
  /** @type {Part[]} */
  const sizes = [];
  const used = new Set();
  for (const [name, files] of parts) {
    await writeTar(folder, files, tar, sizes.length === parts.size - 1);
    const packed = join(cache, `${await digest(tar, compressor)}${compressor.ending}`);
    if (!existsSync(packed)) {
      await must(compressor.program, [...compressor.args, tar]);
      renameSync(`${tar}${compressor.ending}`, packed);
    }
    used.add(basename(packed));
    if (sizes.length === 0) copyFileSync(packed, partial);
    else await pipeline(createReadStream(packed), createWriteStream(partial, { flags: 'a' }));
    const bytes = files.reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0);
    sizes.push({ name, files: files.length, bytes, packed: statSync(packed).size });
  }
  for (const old of readdirSync(cache)) if (!used.has(old)) rmSync(join(cache, old));
  renameSync(partial, archive);
  return sizes;
}
