import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A temporary folder that `using` removes. */
export class Scratch implements Disposable {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'ffma-test-')));

  /** Writes a file and returns its path. */
  file(name: string, text: string): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Writes a shell script that can be run. */
  program(name: string, script: string): string {
    const path = this.file(name, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Stands in for nvcc: copies its input to out.ptx, in a form that says what it was asked. */
export function fakeNvcc(scratch: Scratch, { version = '12.4.131', name = 'bin/nvcc' } = {}): string {
  scratch.program('bin/gcc', 'exit 0');
  return scratch.program(
    name,
    `if [ "$1" = --version ]; then echo "Cuda compilation tools, release x, V${version}"; exit 0; fi
echo run >> "${scratch.path}/runs"
if /bin/grep -q BROKEN entry.cu 2>/dev/null; then echo 'entry.cu(3): error: identifier "BROKEN" is undefined'; exit 2; fi
echo "// by fake nvcc $*" > out.ptx
printf '\\t.file\\t1 "%s/entry.cu"\\n' "$(pwd)" >> out.ptx`,
  );
}

/** Stands in for clang. */
export function fakeClang(
  scratch: Scratch,
  { version = '19.1.7', targets = 'nvptx64 - NVIDIA PTX 64-bit', name = 'bin/clang-19' } = {},
): string {
  return scratch.program(
    name,
    `case "$1" in
  --version) echo "Fake clang version ${version} (1)"; exit 0;;
  --print-targets) echo "  ${targets}"; exit 0;;
esac
echo "// by fake clang" > out.ptx`,
  );
}
