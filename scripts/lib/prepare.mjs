import { delimiter, join } from 'node:path';
import { install } from './install.mjs';
import { cudaCompiler, findTools, missingTools } from './prerequisites.mjs';
import { run } from './run.mjs';
import { step } from './step.mjs';
import { bold, red, wrap, yellow } from './terminal.mjs';
import { toolchainText, writeIfChanged } from './toolchain-file.mjs';

/** @param {import('./prerequisites.mjs').Missing[]} missing */
function report(missing) {
  for (const { what, fatal, use, remedy } of missing) {
    const mark = fatal ? red('missing:') : yellow('not found:');
    process.stdout.write(`\n  ${mark} ${bold(what)}\n`);
    process.stdout.write(`${wrap(`What for: ${use}.`, 4)}\n${wrap(`To get it: ${remedy}`, 4)}\n`);
  }
  if (missing.length > 0) process.stdout.write('\n');
}

/**
 * Environment for the workspace's own tools: pnpm and turbo of this installation, which report to nobody.
 * @param {string} root
 */
export function toolEnvironment(root) {
  return {
    PATH: `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`,
    TURBO_TELEMETRY_DISABLED: '1',
    TURBO_NO_UPDATE_NOTIFIER: '1',
    DO_NOT_TRACK: '1',
  };
}

/**
 * Runs turbo tasks; the output holds only the tasks that failed.
 * @param {string} root
 * @param {readonly string[]} tasks
 */
export function turbo(root, tasks) {
  const args = ['run', ...tasks, '--output-logs=errors-only', '--continue=dependencies-successful'];
  return run(join(root, 'node_modules', '.bin', 'turbo'), args, { cwd: root, env: toolEnvironment(root) });
}

/**
 * From a clone to a built workspace: checks the machine, installs, builds. Says what it does.
 * @param {string} root
 * @returns {Promise<boolean>} false, after saying why, where it cannot be done
 */
export async function prepare(root) {
  const found = await findTools();
  const missing = missingTools(found);
  report(missing);
  if (missing.some(({ fatal }) => fatal)) {
    process.stdout.write(`${red('Install what is missing, then run the same command again.')}\n`);
    return false;
  }
  writeIfChanged(join(root, '.toolchain.json'), toolchainText(found));
  const compiler = cudaCompiler(found);
  if (!(await step('Install packages', () => install(root)))) return false;
  return step(`Build packages, kernels with ${compiler?.name} ${compiler?.version}`, () =>
    turbo(root, ['build']),
  );
}
