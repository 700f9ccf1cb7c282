import { describe, expect, it } from 'vitest';
import { untranslatable } from './located.js';

/** A WebAssembly module with one function, whose body is this many bytes long. */
function moduleWithBody(bytes: number): Uint8Array {
  const leb = (value: number): number[] =>
    value < 128 ? [value] : [(value % 128) + 128, ...leb(value >> 7)];
  const nop = 0x01;
  const body = new Uint8Array(bytes).fill(nop);
  body[0] = 0; // locals
  body[bytes - 1] = 0x0b; // end
  const content = [1, ...leb(bytes)];
  const head = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0], // the type of a function that takes and gives nothing
    ...[3, 2, 1, 0], // one function of it
    ...[10, ...leb(content.length + bytes), ...content],
  ];
  const module = new Uint8Array(head.length + bytes);
  module.set(head);
  module.set(body, head.length);
  return module;
}

describe('a kernel that cannot be translated', () => {
  it('says that it is too long where V8 takes no function of that length', async () => {
    await expect(WebAssembly.compile(moduleWithBody(1000))).resolves.toBeDefined();
    const cause = await WebAssembly.compile(moduleWithBody(8_000_000)).catch((error: unknown) => error);
    expect(untranslatable('k', cause)).toMatchObject({
      code: 'FFMA_COMPILE',
      message: expect.stringMatching(
        /^The kernel k is too long for the emulator: .* takes 8\.00 MB, and a function may have 7\.65 MB\. Unroll less/,
      ),
      details: { kernel: 'k', bytes: 8_000_000, limit: 7_654_321 },
      cause,
    });
  });

  it('gives the reason where it is another', () => {
    expect(untranslatable('k', new Error('no such type'))).toMatchObject({
      message: expect.stringMatching(
        /^The emulator cannot translate the kernel k: no such type\. Check .* as ptxas does\.$/,
      ),
    });
  });
});
