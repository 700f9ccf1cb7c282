/** Something of a device that nobody has closed. */
export interface Leak {
  readonly kind: 'buffer' | 'module';
  /** `buffer 3`, or what the module is called. */
  readonly name: string;
  /** Bytes of device memory that it holds. */
  readonly byteLength: number;
  /** Where it was allocated, as a line of a stack trace; absent where `memcheck` is off. */
  readonly at?: string;
}

/** The first line of a trace that is outside of this package and of `@ffma/core`. */
export function placeOfCaller({ stack = '' }: Error): string | undefined {
  const lines = stack.split('\n').slice(1);
  const own = /[\\/]emulator[\\/](?:src|dist)[\\/]|[\\/]core[\\/](?:src|dist)[\\/]|node:internal/;
  return lines
    .find((line) => !own.test(line))
    ?.trim()
    .replace(/^at /, '');
}

const bytes = (count: number): string => `${count} byte${count === 1 ? '' : 's'}`;

/** A leak for people: `buffer 3 (400 bytes), allocated at main (file:///…/app.js:7:20)`. */
export function describeLeak({ name, byteLength, at }: Leak): string {
  return `${name} (${bytes(byteLength)})${at === undefined ? '' : `, allocated at ${at}`}`;
}
