/** Decimal prefixes as ncu writes them, of bytes, of rates and of times. */
const prefixes: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12, p: 1e15 };

/** Times in nanoseconds, which is what `--print-units base` gives. */
const times: Readonly<Record<string, number>> = {
  ns: 1,
  nsecond: 1,
  us: 1e3,
  usecond: 1e3,
  ms: 1e6,
  msecond: 1e6,
  s: 1e9,
  second: 1e9,
};

/**
 * What a figure in this unit is multiplied by to be in the base unit (bytes, bytes a second, hertz, nanoseconds, per
 * cent, counts). A unit that scales nothing, such as `inst` or `register/thread`, gives 1.
 */
export function unitFactor(unit: string): number {
  const text = unit.trim();
  const time = times[text];
  if (time !== undefined) return time;
  const scaled = /^([kmgtp]?)(byte|hz|B|bit|inst|sector|cycle)(?:\/(\w+))?$/i.exec(text);
  if (scaled === null) return 1;
  const [, prefix = '', , per] = scaled;
  const factor = prefixes[prefix.toLowerCase()] as number;
  const perTime = per === undefined ? undefined : times[per];
  return perTime === undefined ? factor : (factor * 1e9) / perTime;
}
