/** A drawing and its height in pixels. */
export interface Part {
  readonly svg: string;
  readonly height: number;
}

/** Drawings one below the other, as one. Each is as wide as the whole. */
export function stack(parts: readonly Part[], width: number): string {
  let top = 0;
  const placed = parts.map(({ svg, height }) => {
    const moved = svg.replace(/^<svg/, `<svg y="${top}"`);
    top += height;
    return moved;
  });
  return `<svg viewBox="0 0 ${width} ${top}" width="${width}" height="${top}">${placed.join('')}</svg>`;
}
