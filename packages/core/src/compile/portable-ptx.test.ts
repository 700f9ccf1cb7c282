import { describe, expect, it } from 'vitest';
import { portablePtx } from './portable-ptx.js';

describe('portablePtx', () => {
  it('names files as they are inside the folder', () => {
    const ptx =
      '\t.file\t1 "/tmp/ffma-x/entry.cu"\n\t.file\t2 "/tmp/ffma-x/./kernels/k/kernel.cu"\n\t.file\t3 "./ffma/fma.cuh"\n';
    expect(portablePtx(ptx, '/tmp/ffma-x')).toBe(
      '\t.file\t1 "entry.cu"\n\t.file\t2 "kernels/k/kernel.cu"\n\t.file\t3 "ffma/fma.cuh"\n',
    );
  });

  it("names a toolkit's header from its include folder on", () => {
    const ptx = '.file 1 "/usr/local/cuda-13.0/bin/../targets/x/include/crt/sm.hpp", 1700000000, 123\n';
    expect(portablePtx(ptx, '/tmp/f')).toBe('.file 1 "crt/sm.hpp"\n');
  });

  it('understands Windows paths', () => {
    expect(portablePtx('.file 1 "C:\\\\t\\\\ffma\\\\a.cu"\r\n', 'C:\\t\\ffma')).toBe('.file 1 "a.cu"\n');
  });

  it('drops comments that name places, and keeps the rest of the line', () => {
    const ptx =
      '\t.loc\t2 14 41                         // /tmp/f/ffma/index.cuh:14:41\n\t.loc\t1 2 3, function_name $L__i0, inlined_at 2 3 4\n';
    expect(portablePtx(ptx, '/tmp/f')).toBe(
      '\t.loc\t2 14 41\n\t.loc\t1 2 3, function_name $L__i0, inlined_at 2 3 4\n',
    );
  });

  it('leaves everything else alone', () => {
    const ptx = '.version 8.0\n\tadd.s32 \t%r1, %r2, 3; // keep\n$L__BB0_2: // %bb.2\n';
    expect(portablePtx(ptx, '/tmp/f')).toBe(ptx);
  });
});
