/**
 * A result file that the README or a page of the docs quotes: `results/<gpu>-<name>.json`, made by `ffma <args> --json
 * <file>` on a machine with that GPU. `{confirm}` among the args stands for the file of that name.
 * @typedef {{ readonly name: string, readonly args: readonly string[], readonly resumes: boolean, readonly seconds: number, readonly about: string }} Recipe
 *   resumes: what was cut off is gone on from; seconds: about what it takes on an H200
 */

const course = [...Array.from({ length: 13 }, (_, i) => `k${String(i + 1).padStart(2, '0')}`), 'k14'];

/** In the order in which they are recorded: what the most depends on comes first. @type {readonly Recipe[]} */
export const recipes = [
  {
    name: 'confirm',
    args: ['experiment', 'run', 'confirm', '--device', 'cuda'],
    resumes: true,
    seconds: 300,
    about: 'the best kernels beside cuBLAS, 15 rounds of 40: the table at the top of the README',
  },
  {
    name: 'ladder',
    args: ['experiment', 'run', 'ladder', '--device', 'cuda', '--rounds', '5', '--launches', '10'],
    resumes: true,
    seconds: 240,
    about: 'every step of the ladder beside cuBLAS',
  },
  {
    name: 'profile',
    args: ['profile', ...course, 'cublas', '--sizes', '1024,4096'],
    resumes: false,
    seconds: 300,
    about: 'what Nsight Compute counts of the course and of cuBLAS',
  },
  {
    name: 'roofline',
    args: ['roofline', '{confirm}', '{profile}'],
    resumes: false,
    seconds: 20,
    about: 'the peaks of the device, and kernels under them',
  },
  {
    name: 'hopper',
    args: [
      'bench',
      'h00/*',
      'h01/*',
      'h02/*',
      'h03/*',
      '--sizes',
      '1024,1536,2048,3072,4096',
      '--rounds',
      '5',
      '--launches',
      '20',
    ],
    resumes: true,
    seconds: 180,
    about: 'every variant of the Hopper kernels beside cuBLAS',
  },
];
