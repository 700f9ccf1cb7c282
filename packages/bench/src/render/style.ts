import pc from 'picocolors';

export type Style = ReturnType<typeof pc.createColors>;

/** What decides whether output is coloured, as of a `WriteStream`. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Colours for a terminal; none elsewhere, nor where `NO_COLOR` is set to anything (no-color.org). */
export function styleFor(terminal: Terminal, env: NodeJS.ProcessEnv = process.env): Style {
  return pc.createColors(terminal.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb');
}

export const plain: Style = pc.createColors(false);

/** Columns to fill: the terminal's, between 60 and 120; 80 where it has none. */
export function columnsOf(terminal: Terminal): number {
  return Math.min(120, Math.max(60, terminal.columns || 80));
}
