import { describe, expect, it } from 'vitest';
import type { ProfileLaunch } from '../../profile/schema.js';
import type { BarsChart } from '../charts/bars.js';
import { opcodesFigure, schedulersFigure, stallsFigure } from './profiled.js';

const launch: ProfileLaunch = {
  kernel: 'symbol',
  main: true,
  metrics: { 'warps.active': 1.99, 'issue.active': 72, 'stall.cyclesPerIssue': 2.77 },
  missing: {},
  stalls: [
    { reason: 'long_scoreboard', perIssue: 0.13 },
    { reason: 'wait', perIssue: 0.4 },
  ],
  opcodes: {
    level: 'executed',
    counts: { FFMA: 2_000_000, LDS: 100, MOV: 300 },
    total: 2_000_400,
    ffmaShare: 0.99,
    overheadPerFfma: 0.0002,
  },
};

const bars = (figure: { chart: unknown } | undefined) => figure?.chart as BarsChart;

describe('profiles', () => {
  it('name the longest wait, by figures and not by the order of the file', () => {
    const figure = stallsFigure('x', '8³', [{ name: 'k', launch }]);
    expect(bars(figure).groups[0]).toMatchObject({
      says: 'mostly wait',
      bars: [
        { name: 'wait', strong: true, text: '0.40' },
        { name: 'long scoreboard', strong: false, text: '0.13' },
      ],
    });
    expect(stallsFigure('x', '8³', [{ name: 'k', launch: { ...launch, stalls: [] } }])).toBeUndefined();
  });

  it('draw opcodes without FFMAs; what stands in the code is labelled, and never beside what was executed', () => {
    const still = { ...launch, opcodes: { ...launch.opcodes!, level: 'static' as const } };
    const executed = opcodesFigure('x', '8³', [
      { name: 'k', launch },
      { name: 'other', launch: still },
    ]);
    expect(executed?.title).toBe('Instructions executed at 8³, by opcode');
    expect(bars(executed).groups.map(({ title, bars: own }) => [title, own.map(({ name }) => name)])).toEqual(
      [['k', ['MOV', 'LDS']]],
    );
    expect(executed?.table.rows.map(({ cells }) => cells[0])).toEqual(['FFMA', 'MOV', 'LDS']);
    const fallback = opcodesFigure('x', '8³', [{ name: 'other', launch: still }]);
    expect(fallback?.title).toBe('Instructions in the machine code at 8³, by opcode');
    expect(fallback?.says).toContain('not how often they ran');
  });

  it('show three panels of schedulers, and a dash for what ncu did not give', () => {
    const bare = { ...launch, metrics: { 'issue.active': null, 'warps.active': 1 } };
    const figure = schedulersFigure('x', '8³', [
      { name: 'k', launch },
      { name: 'bare', launch: bare },
    ]);
    expect(bars(figure).groups.map((group) => group.bars.map(({ text }) => text))).toEqual([
      ['1.99', '1.00'],
      ['72.0 %', '–'],
      ['2.77', '–'],
    ]);
  });
});
