import { describe, expect, it } from 'vitest';
import { MBarrier, MOST_ARRIVALS, MOST_BYTES } from './mbarrier.js';

describe('an mbarrier', () => {
  it('ends a phase with the last arrival, and starts the next with as many to come', () => {
    const barrier = new MBarrier(2);
    expect([barrier.arrive(1), barrier.phase, barrier.pending]).toEqual([false, 0, 1]);
    expect([barrier.arrive(1), barrier.phase, barrier.pending]).toEqual([true, 1, 2]);
    expect([barrier.arrive(2), barrier.phase]).toEqual([true, 2]);
  });

  it('waits for bytes, too, in whatever order they and the arrivals come', () => {
    const barrier = new MBarrier(1);
    barrier.expect(64);
    expect([barrier.arrive(1), barrier.complete(32), barrier.complete(32)]).toEqual([false, false, true]);
    expect(barrier.complete(16)).toBe(false);
    barrier.expect(16);
    expect(barrier.arrive(1)).toBe(true);
  });

  it('answers for the phase of a parity: the one before its own', () => {
    const barrier = new MBarrier(1);
    expect([barrier.isOver(0), barrier.isOver(1)]).toEqual([false, true]);
    barrier.arrive(1);
    expect([barrier.isOver(0), barrier.isOver(1)]).toEqual([true, false]);
  });

  it('gives phase and arrivals as its state', () => {
    const barrier = new MBarrier(3);
    barrier.arrive(3);
    barrier.arrive(1);
    expect(barrier.state).toBe((1n << 20n) | 2n);
  });

  it('lets whoever drops out be missing from the next phase on', () => {
    const barrier = new MBarrier(3);
    barrier.drop(1);
    expect([barrier.arrive(2), barrier.arrive(1), barrier.pending]).toEqual([false, true, 2]);
  });

  it.each([
    ['a count of none', () => new MBarrier(0), 'its count must be 1 to 1048575, but is 0'],
    ['a count too large', () => new MBarrier(MOST_ARRIVALS + 1), 'but is 1048576'],
    ['an arrival too many', () => new MBarrier(2).arrive(3), '3 arrivals come, but 2 of its 2'],
    ['no arrival', () => new MBarrier(2).arrive(0), '0 arrivals come'],
    ['too many bytes', () => new MBarrier(2).expect(MOST_BYTES + 1), 'it counts at most 1048575'],
    ['far more bytes than announced', () => new MBarrier(2).complete(MOST_BYTES + 1), '1048576 bytes more'],
  ])('refuses %s', (_, run, says) => {
    expect(run).toThrow(says);
  });

  it('refuses bytes that nobody has announced when all arrivals have come', () => {
    const barrier = new MBarrier(1);
    barrier.complete(16);
    expect(() => barrier.arrive(1)).toThrow('16 bytes more than were announced');
  });
});
