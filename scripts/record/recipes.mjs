/**
 * A result file that the README or a page of the docs quotes: `results/<gpu>-<name>.json`, made by `ffma <args> --json
 * <file> --resume` on a machine with that GPU.
 * @typedef {{ readonly name: string, readonly args: readonly string[], readonly seconds: number, readonly about: string }} Recipe
 *   seconds: about what it takes on an H200
 */

/** In the order in which they are recorded: what the most depends on comes first. @type {readonly Recipe[]} */
export const recipes = [
  {
    name: 'confirm',
    args: ['experiment', 'run', 'confirm', '--device', 'cuda'],
    seconds: 300,
    about: 'the best kernels beside cuBLAS, 15 rounds of 40: the table at the top of the README',
  },
  {
    name: 'ladder',
    args: ['experiment', 'run', 'ladder', '--device', 'cuda', '--rounds', '5', '--launches', '10'],
    seconds: 240,
    about: 'every step of the ladder beside cuBLAS',
  },
];
