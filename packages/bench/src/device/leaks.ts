import type { Device } from '@ffma/core';
import type { Leak } from '@ffma/emulator';

/** What is still open on a device that keeps account of that, in words; empty on others. */
export async function leaksOf(device: Device): Promise<string[]> {
  const { leaks } = device as Device & { leaks?(): Leak[] };
  if (typeof leaks !== 'function') return [];
  const open = leaks.call(device);
  if (open.length === 0) return [];
  const { describeLeak } = await import('@ffma/emulator');
  return open.map(describeLeak);
}
