import { beforeEach, describe, expect, test } from 'vitest';
import { CTX, LOG_ENTRY_BYTES } from '../layout.js';
import type { TranslatedKernel } from '../translate/translated-kernel.js';
import { FIGURES, LogProcessor } from './log-processor.js';
import type { WarpRequests } from './warp-requests.js';

const point = { line: 1, text: 'ld' };
const kernel = {
  sites: [
    { ...point, space: 'global', kind: 'load', bytes: 4 },
    { ...point, space: 'shared', kind: 'load', bytes: 4 },
    { ...point, space: 'global', kind: 'store', bytes: 16 },
  ],
} as unknown as TranslatedKernel;

const CONTEXT = 0;
const LOG = 256;
const ALL = -1;
let i32: Int32Array;
let log: LogProcessor;
beforeEach(() => {
  i32 = new Int32Array(1 << 16);
  log = new LogProcessor(kernel, i32, LOG, 1000 * LOG_ENTRY_BYTES);
});

/** What translated code does at one access of a group: `addresses` of the lanes that take part. */
function access(site: number, addresses: readonly (number | undefined)[]): void {
  const next = i32[(CONTEXT + CTX.logNext) >> 2]!;
  const mask = addresses.reduce<number>(
    (bits, address, lane) => (address === undefined ? bits : bits | (1 << lane)),
    0,
  );
  i32[next >> 2] = (site << 4) | mask;
  addresses.forEach((address, lane) => {
    i32[(next >> 2) + 1 + lane] = address ?? 0;
  });
  i32[(CONTEXT + CTX.logNext) >> 2] = next + LOG_ENTRY_BYTES;
}

type Run = (group: number) => void;
const four = (of: (lane: number) => number) => [0, 1, 2, 3].map(of);

/** Lets some groups of a warp run, one after the other, and then counts. */
function stint(
  groups: readonly number[],
  run: Run,
  open?: WarpRequests,
  live = ALL,
): WarpRequests | undefined {
  for (const group of groups) {
    log.begin(group, CONTEXT);
    run(group);
    log.end(group, CONTEXT);
  }
  return log.flush(open, live);
}

const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7];
const figures = (site: number) => {
  const at = (figure: number) => log.totals[site * FIGURES.count + figure];
  return {
    requests: at(FIGURES.requests),
    sectors: at(FIGURES.sectors),
    bytesRequested: at(FIGURES.bytesRequested),
    bytesUsed: at(FIGURES.bytesUsed),
  };
};

describe('LogProcessor', () => {
  test('groups that do the same are one request a time', () => {
    const open = stint(EIGHT, (group) => {
      for (let i = 0; i < 3; i++)
        access(
          0,
          four((lane) => 128 * i + 16 * group + 4 * lane),
        );
      access(
        1,
        four(() => 0),
      );
      access(
        2,
        four((lane) => 64 * group + 16 * lane),
      );
    });
    expect(open).toBeUndefined();
    expect(figures(0)).toEqual({ requests: 3, sectors: 12, bytesRequested: 384, bytesUsed: 384 });
    expect(figures(1)).toEqual({ requests: 1, sectors: 0, bytesRequested: 128, bytesUsed: 0 });
    expect(figures(2)).toEqual({ requests: 1, sectors: 16, bytesRequested: 512, bytesUsed: 512 });
  });

  test('a group that lags joins the requests of the others, stint by stint', () => {
    let open = stint(EIGHT, (group) => {
      for (let i = 0; i < (group === 5 ? 1 : 4); i++)
        access(
          0,
          four((lane) => 16 * group + 4 * lane),
        );
    });
    expect(figures(0).requests).toBe(1);
    expect(open).toBeDefined();
    for (let i = 0; i < 3; i++)
      open = stint(
        [5],
        () =>
          access(
            0,
            four((lane) => 80 + 4 * lane),
          ),
        open,
      );
    expect(open).toBeUndefined();
    expect(figures(0)).toEqual({ requests: 4, sectors: 16, bytesRequested: 512, bytesUsed: 512 });
  });

  test('lanes that do their own', () => {
    const open = stint(
      [0],
      () => {
        access(0, [0, undefined, undefined, undefined]);
        access(0, [undefined, 4, undefined, undefined]);
        access(0, [undefined, undefined, 64, undefined]);
      },
      undefined,
      0b0111,
    );
    expect(open).toBeUndefined();
    expect(figures(0)).toEqual({ requests: 1, sectors: 2, bytesRequested: 12, bytesUsed: 12 });
  });

  test('at a barrier, and when lanes exit, nothing is waited for', () => {
    const ahead = () =>
      access(
        0,
        four((lane) => 4 * lane),
      );
    const open = stint([0], ahead, undefined, 0xff);
    expect(figures(0).requests).toBe(0);
    log.settle(open);
    expect(figures(0).requests).toBe(1);
    // The other group's first is not the same request then.
    const second = stint([1], ahead, undefined, 0xff);
    expect(stint([], ahead, second, 0xf0)).toBeUndefined();
    expect(figures(0).requests).toBe(2);
  });

  test('each stint starts with an empty log', () => {
    for (let i = 0; i < 500; i++)
      stint(EIGHT, (group) =>
        access(
          0,
          four((lane) => 16 * group + 4 * lane),
        ),
      );
    expect(figures(0).requests).toBe(500);
    expect(i32[(CONTEXT + CTX.logNext) >> 2]).toBe(LOG + 8 * LOG_ENTRY_BYTES);
    expect(i32[(CONTEXT + CTX.logSoftEnd) >> 2]).toBe(LOG + 7 * LOG_ENTRY_BYTES + 1000 * LOG_ENTRY_BYTES);
  });
});
