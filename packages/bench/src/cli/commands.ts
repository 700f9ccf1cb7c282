import type { Command } from 'commander';
import type { Io } from './io.js';

/** A command as `ffma --help` shows it; what it does is loaded when it is called. */
export interface CommandEntry {
  readonly description: string;
  readonly load: () => Promise<(io: Io) => Command>;
  readonly hidden?: true;
}

/** Every command, in the order of the help. A new one is one entry here. */
export const commands: Readonly<Record<string, CommandEntry>> = {
  tour: {
    description:
      'verify every kernel, time it where there is a GPU, show what it does beside its base, and why',
    load: async () => (await import('./commands/tour.js')).tourCommand,
  },
  list: {
    description: 'list the kernels that the package here depends on',
    load: async () => (await import('./commands/list.js')).listCommand,
  },
  doctor: {
    description: 'say what is installed and what works here: one block to paste into an issue',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  verify: {
    description: 'put conformance cases before kernels; exits with 1 where one fails',
    load: async () => (await import('./commands/verify.js')).verifyCommand,
  },
  bench: {
    description: 'check kernels, then time them on a GPU, or count on the emulator what they do',
    load: async () => (await import('./commands/bench.js')).benchCommand,
  },
  experiment: {
    description:
      'list or run what kernel packages declare: a question, rows, and published figures beside ours',
    load: async () => (await import('./commands/experiment.js')).experimentCommand,
  },
  sweep: {
    description: "search a kernel's parameters for what is fastest: prune, compile, verify, time in rungs",
    load: async () => (await import('./commands/sweep.js')).sweepCommand,
  },
  merge: {
    description: 'put result files together: shards of a sweep, or sizes of ffma bench',
    load: async () => (await import('./commands/merge.js')).mergeCommand,
  },
  profile: {
    description: 'count what one multiplication of each kernel does on a GPU, by Nsight Compute',
    load: async () => (await import('./commands/profile.js')).profileCommand,
  },
  roofline: {
    description: 'measure what a GPU can do at most, and set kernels under that: FLOP per byte and speed',
    load: async () => (await import('./commands/roofline.js')).rooflineCommand,
  },
  launch: {
    description: 'multiply a few times and nothing else, for a profiler or debugger of your own',
    load: async () => (await import('./commands/launch.js')).launchCommand,
  },
  report: {
    description: 'show result files again: as tables, one page with charts, Markdown, CSV or pictures',
    load: async () => (await import('./commands/report.js')).reportCommand,
  },
  compare: {
    description: 'say what got faster or slower between two results, or two revisions of one',
    load: async () => (await import('./commands/compare.js')).compareCommand,
  },
  inspect: {
    description: 'show what is known about a kernel: declaration, launches, occupancy, built artefacts',
    load: async () => (await import('./commands/inspect.js')).inspectCommand,
  },
  completion: {
    description: 'print what makes a shell complete commands, options and kernel names',
    load: async () => (await import('./commands/completion.js')).completionCommand,
  },
};
