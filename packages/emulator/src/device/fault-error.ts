import { KernelFaultError, type KernelFaultPlace } from '@ffma/core';
import { GLOBAL_BASE } from '../layout.js';
import { kernelPlace } from '../ptx/kernel-place.js';
import type { FaultRecord } from '../runtime/fault-record.js';

/** A live buffer, as far as naming an address goes. */
export interface NamedSpan {
  readonly start: number;
  readonly byteLength: number;
  readonly name: string;
}

const triple = (t: readonly number[]): string => `(${t.join(', ')})`;

function describeAddress(record: FaultRecord, spans: readonly NamedSpan[]): string {
  const { address, site } = record;
  if (address === undefined || site === undefined) return '';
  const hex = `0x${BigInt.asUintN(64, address).toString(16)}`;
  if (site.space === 'shared' || site.space === 'local') return `byte ${address} of ${site.space} memory`;
  const offset = address - GLOBAL_BASE;
  const inside = spans.find((s) => offset >= BigInt(s.start) && offset < BigInt(s.start + s.byteLength));
  if (inside !== undefined) return `${inside.name} + ${offset - BigInt(inside.start)} (${hex})`;
  const before = spans
    .filter((s) => BigInt(s.start + s.byteLength) <= offset)
    .sort((x, y) => y.start - x.start)[0];
  if (before === undefined || offset - BigInt(before.start + before.byteLength) > 2n ** 20n) return hex;
  const past = offset - BigInt(before.start + before.byteLength);
  return `${hex}, ${past} bytes past the end of ${before.name}`;
}

const SENTENCES: Readonly<Record<FaultRecord['kind'], (record: FaultRecord, where: string) => string>> = {
  'out-of-bounds': (r, where) => `Out-of-bounds ${r.site?.kind} of ${r.site?.bytes} bytes at ${where}`,
  misaligned: (r, where) =>
    `Misaligned ${r.site?.kind}: ${r.site?.bytes} bytes need an address that is a multiple of ${r.site?.bytes}, but it is ${where}`,
  'uninitialised-read': (r, where) => `Read of ${r.site?.bytes} bytes that nothing has written, at ${where}`,
  'barrier-divergence': (r) => `Barrier in divergent code: ${r.note}`,
  deadlock: (r) => `The block can never finish: ${r.note}`,
  trap: (r) => `The kernel trapped: ${r.note}`,
};

/** An error for people: what, by which thread of which block, at which line of PTX and source. */
export function faultError(
  kernel: string,
  record: FaultRecord,
  spans: readonly NamedSpan[],
): KernelFaultError {
  const at = record.site ?? record.barrier;
  const source = at?.source === undefined ? undefined : kernelPlace(at.source);
  const where = describeAddress(record, spans);
  const thread = record.thread === undefined ? '' : `, thread ${triple(record.thread)}`;
  const line = at === undefined ? '' : `, PTX line ${at.line} (${at.text})`;
  const sourceLine = source === undefined ? '' : `, ${source.file}:${source.line}`;
  const message = `${SENTENCES[record.kind](record, where)}; kernel ${kernel}, block ${triple(record.block)}${thread}${line}${sourceLine}.`;
  const place: KernelFaultPlace = {
    kernel,
    block: record.block,
    ...(record.thread === undefined ? {} : { thread: record.thread }),
    ...(at === undefined ? {} : { ptxLine: at.line, instruction: at.text }),
    ...(source === undefined ? {} : { source }),
    ...(record.address === undefined ? {} : { address: where }),
  };
  return new KernelFaultError(record.kind, message, place, {
    ...(record.kind === 'trap' ? { remedy: 'Open the device with checks: true to see where.' } : {}),
  });
}
