/** Not instructions: directives, labels, braces. */
const INSTRUCTION = /^\s*(?:@!?%?\w+\s+)?([a-z][\w.:]*)\s*[^:]*;/;

/** As much of a name as says what is done: `ld.shared.v4`, `fma.rn`, not the type. */
function plainName(opcode: string): string {
  const [name = '', ...modifiers] = opcode.split('.');
  const told = modifiers.filter((modifier) =>
    /^(?:global|shared|local|param|const|v[248]|async|wide|lo|hi|rn|sync|ca|cg)$/.test(modifier),
  );
  return [name, ...told].join('.');
}

/** Instructions of a PTX text as they stand, by name. They say nothing of how often each runs. */
export function ptxMix(ptx: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of ptx.split('\n')) {
    const opcode = INSTRUCTION.exec(line.replace(/\/\/.*$/, ''))?.[1];
    if (opcode === undefined) continue;
    const name = plainName(opcode);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** How two texts differ in an instruction. */
export interface MixChange {
  readonly instruction: string;
  readonly base: number;
  readonly own: number;
}

/** Every instruction of either, that with the largest difference first. */
export function mixChanges(base: ReadonlyMap<string, number>, own: ReadonlyMap<string, number>): MixChange[] {
  const names = [...new Set([...base.keys(), ...own.keys()])];
  return names
    .map((instruction) => ({ instruction, base: base.get(instruction) ?? 0, own: own.get(instruction) ?? 0 }))
    .sort(
      (x, y) =>
        Math.abs(y.own - y.base) - Math.abs(x.own - x.base) || (x.instruction < y.instruction ? -1 : 1),
    );
}
