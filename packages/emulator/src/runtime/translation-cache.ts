import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import type { TranslateRequest } from './messages.js';

let translator: Promise<string> | undefined;

/** Digest of the translator's own code: whenever it changes, the same PTX may be translated otherwise. */
function translatorDigest(): Promise<string> {
  translator ??= (async () => {
    const hash = createHash('sha256');
    const here = fileURLToPath(new URL('..', import.meta.url));
    const files = ['layout.js', join('..', 'package.json')];
    for (const folder of ['ptx', 'translate']) {
      for (const name of await readdir(join(here, folder), { recursive: true })) {
        if (name.endsWith('.js')) files.push(join(folder, name));
      }
    }
    const contents = await Promise.all(files.sort().map((file) => readFile(join(here, file))));
    for (const [i, content] of contents.entries()) hash.update(files[i]!).update('\0').update(content);
    return hash.digest('hex');
  })();
  return translator;
}

async function keyOf(request: TranslateRequest): Promise<string> {
  const { ptx, kernel, block, options } = request;
  const facts = JSON.stringify({ translator: await translatorDigest(), kernel, block, options });
  return createHash('sha256').update(facts).update('\0').update(ptx).digest('hex');
}

async function read(path: string): Promise<TranslatedKernel | undefined> {
  try {
    const bytes = await readFile(path);
    const digest = bytes.subarray(0, 32);
    const body = bytes.subarray(32);
    // A torn or foreign file is as good as none.
    if (!createHash('sha256').update(body).digest().equals(digest)) return undefined;
    return deserialize(body) as TranslatedKernel;
  } catch {
    return undefined;
  }
}

/** Puts a translation into the cache. One that cannot be written costs time, nothing else. */
async function write(path: string, kernel: TranslatedKernel): Promise<void> {
  const body = serialize(kernel);
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(temporary, Buffer.concat([createHash('sha256').update(body).digest(), body]));
    await rename(temporary, path);
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** A kernel from the cache on disk, or translated and put there. The translator is loaded only on a miss. */
export async function translateCached(request: TranslateRequest): Promise<TranslatedKernel> {
  const path = request.cache === undefined ? undefined : join(request.cache, `${await keyOf(request)}.bin`);
  const cached = path === undefined ? undefined : await read(path);
  if (cached !== undefined) return cached;
  const [{ parsePtx }, { prepareModule }, { translateKernel }] = await Promise.all([
    import('../ptx/parse.js'),
    import('../ptx/prepare.js'),
    import('../translate/translate.js'),
  ]);
  const kernel = translateKernel(
    prepareModule(parsePtx(request.ptx, request.moduleName), request.moduleName),
    request.kernel,
    request.block,
    request.options,
  );
  if (path !== undefined) await write(path, kernel);
  return kernel;
}
