import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../test-support/kernel-folders.js';
import { gitFacts } from './git.js';

test('the revision is that of HEAD, dirty once a tracked file was changed, and nothing outside of a repository', async () => {
  using folder = temporaryFolder({ 'a.txt': 'a' });
  const git = (...words: string[]) =>
    execFileSync('git', ['-C', folder.path, '-c', 'user.name=x', '-c', 'user.email=x@x', ...words], {
      encoding: 'utf8',
    }).trim();
  expect(await gitFacts(folder.path)).toBeUndefined();
  git('init', '-q');
  expect(await gitFacts(folder.path)).toBeUndefined();
  git('add', '.');
  git('commit', '-qm', 'a');
  writeFileSync(join(folder.path, 'new.txt'), 'untracked');
  const revision = git('rev-parse', 'HEAD');
  expect(await gitFacts(folder.path)).toEqual({ revision, dirty: false });
  writeFileSync(join(folder.path, 'a.txt'), 'b');
  expect(await gitFacts(folder.path)).toEqual({ revision, dirty: true });
});
