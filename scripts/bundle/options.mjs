import { parseArgs } from 'node:util';

const usage = `Usage: npm run bundle [-- options]

  --cubin <arch>    machine code to compile, may be repeated (default: sm_90)
  --ptx-only        kernels as the build made them, PTX of the default variants, which the driver compiles
  --no-build        take the workspace as it is built
  --gzip            pack with gzip instead of xz, for hosts that have no xz: half as large again
  --folder <path>   make the folder there, and no archive
`;

/**
 * @typedef {{ cubins: string[], build: boolean, compressor: 'xz' | 'gzip', folder: string | undefined }} BundleOptions
 */

/**
 * Options of `npm run bundle`; a text to show and the exit code where there is nothing to make.
 * @param {readonly string[]} args
 * @returns {BundleOptions | { text: string, code: 0 | 2 }}
 */
export function bundleOptions(args) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        cubin: { type: 'string', multiple: true },
        'ptx-only': { type: 'boolean', default: false },
        'no-build': { type: 'boolean', default: false },
        gzip: { type: 'boolean', default: false },
        folder: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) return { text: usage, code: 0 };
    if (values['ptx-only'] && values.cubin !== undefined)
      throw new Error('--ptx-only and --cubin ask for opposites: give one of them.');
    const odd = values.cubin?.find((arch) => !/^sm_\d+[af]?$/.test(arch));
    if (odd !== undefined) throw new Error(`--cubin is an architecture such as sm_90, but is '${odd}'.`);
    return {
      cubins: values['ptx-only'] ? [] : (values.cubin ?? ['sm_90']),
      build: !values['no-build'],
      compressor: values.gzip ? 'gzip' : 'xz',
      folder: values.folder,
    };
  } catch (error) {
    return { text: `${error instanceof Error ? error.message : error}\n\n${usage}`, code: 2 };
  }
}

/**
 * Why no bundle can be made here, as a sentence; undefined where it can.
 * @param {{ platform: string, arch: string, has: (program: string) => boolean }} host
 * @param {BundleOptions} options
 */
export function obstacle({ platform, arch, has }, { compressor, folder }) {
  if (platform !== 'linux' || arch !== 'x64')
    return `A bundle holds the Node.js that makes it and is for linux-x64, but this is ${platform}-${arch}.`;
  if (folder !== undefined || has(compressor)) return undefined;
  return compressor === 'xz'
    ? 'The archive is packed with xz, which is not here: apt-get install -y xz-utils, or give --gzip.'
    : 'The archive is to be packed with gzip, which is not here: apt-get install -y gzip.';
}
