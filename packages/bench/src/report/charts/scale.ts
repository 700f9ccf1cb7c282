/** From values to places in pixels, and back. */
export interface Scale {
  readonly type: 'linear' | 'log';
  readonly domain: readonly [number, number];
  to(value: number): number;
  from(pixel: number): number;
}

export function scaleOf(
  type: Scale['type'],
  domain: readonly [number, number],
  range: readonly [number, number],
): Scale {
  const [low, high] = domain;
  const [start, end] = range;
  const part = (value: number) =>
    type === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return {
    type,
    domain,
    to: (value) => start + part(value) * (end - start),
    from: (pixel) => {
      const share = (pixel - start) / (end - start);
      return type === 'log' ? low * (high / low) ** share : low + share * (high - low);
    },
  };
}
