import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Scratch } from './fake-tools.js';

const source = fileURLToPath(new URL('../fake-cuda/fake-cuda.cpp', import.meta.url));

function compile(args: readonly string[]): void {
  execFileSync(process.env.CXX ?? 'c++', ['-std=c++17', '-shared', '-fPIC', '-pthread', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** A driver that works on host memory. @returns the path of its library */
export function buildFakeCuda(scratch: Scratch): string {
  const path = `${scratch.path}/libcuda-fake.so`;
  compile(['-O1', '-fvisibility=hidden', source, '-o', path]);
  return path;
}

/** An NVRTC that answers as its environment says. @returns the path of its library */
export function buildFakeNvrtc(scratch: Scratch, name: string, flags: readonly string[] = []): string {
  const source = fileURLToPath(new URL('../fake-nvrtc/fake-nvrtc.cpp', import.meta.url));
  const path = `${scratch.path}/${name}`;
  mkdirSync(dirname(path), { recursive: true });
  compile(['-O1', '-fvisibility=hidden', ...flags, source, '-o', path, '-ldl']);
  return path;
}

/** A library from a few lines of C++. */
export function buildLibrary(
  scratch: Scratch,
  name: string,
  text: string,
  flags: readonly string[] = [],
): string {
  const path = `${scratch.path}/${name}`;
  compile([scratch.file(`${name}.cpp`, text), '-o', path, ...flags]);
  return path;
}

export interface ScriptResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a module that imports `@ffma/core` as `core` in a process of its own. */
export function runScript(body: string, env: Readonly<Record<string, string>> = {}): ScriptResult {
  const core = new URL('../../dist/index.js', import.meta.url).href;
  const text = `import * as core from ${JSON.stringify(core)};\n${body}`;
  const scratch = new Scratch();
  try {
    const stdout = execFileSync(process.execPath, [scratch.file('script.mjs', text)], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    return { code: 0, stdout, stderr: '' };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number | null; stdout: string; stderr: string };
    return { code: status, stdout, stderr };
  } finally {
    scratch[Symbol.dispose]();
  }
}
