import type { InspectedSass } from '../inspect/sass.js';
import type { SassFacts, SassLoop } from '../sass/facts.js';
import { count, figure, percent } from './numbers.js';
import type { Style } from './style.js';
import { hang } from './text.js';

const MOST_OPCODES = 12;
const NO_DISASSEMBLER =
  'There is no nvdisasm or cuobjdump here: what is read without them is all of the FFMAs, memory accesses, barriers ' +
  'and branches; OP counts the others.';

function opcodesText(opcodes: Readonly<Record<string, number>>): string {
  const all = Object.entries(opcodes);
  const named = all.slice(0, MOST_OPCODES).map(([name, times]) => `${name} ${times}`);
  const rest = all.length > MOST_OPCODES ? [`${all.length - MOST_OPCODES} others`] : [];
  return [...named, ...rest].join(', ');
}

const hex = (address: number) => `0x${address.toString(16).padStart(4, '0')}`;

function loopTexts(loop: SassLoop): (readonly [string, string])[] {
  const { fresh, sameBank, bankConflicts, ldsToUse } = loop;
  const of = (n: number) => `${n} (${percent(n / loop.ffma)})`;
  return [
    [
      'main loop',
      `${hex(loop.start)} to ${hex(loop.end)}: ${loop.instructions} instructions, ${loop.ffma} FFMAs ` +
        `(${percent(loop.ffmaShare)}), ${figure(loop.overheadPerFfma)} others for each FFMA`,
    ],
    ['', opcodesText(loop.opcodes)],
    ['in place', `${of(loop.inPlace)} of the FFMAs write where their addend came from`],
    [
      'operands',
      `fresh registers of an FFMA: none ${fresh[0]}, one ${fresh[1]}, two ${fresh[2]} (${sameBank} of them in one ` +
        `bank), three ${fresh[3]}; ${count(bankConflicts, 'bank conflict')}; ${loop.reuseFlags} marked .reuse`,
    ],
    [
      'LDS to use',
      ldsToUse === undefined
        ? 'no LDS'
        : `at least ${ldsToUse.least} instructions, ${ldsToUse.median} by the median`,
    ],
  ];
}

function factLines(facts: SassFacts, style: Style, width: number): string[] {
  const spills = facts.local === 0 ? '' : `, ${facts.local} of them accesses to local memory`;
  const rows: (readonly [string, string])[] = [
    ['all', `${facts.instructions} instructions, ${facts.ffma} FFMAs${spills}`],
    ['', opcodesText(facts.opcodes)],
    ...(facts.loop === undefined
      ? ([['main loop', 'none: no branch leads back over FFMAs']] as const)
      : loopTexts(facts.loop)),
  ];
  return [
    style.bold(facts.symbol),
    ...rows.flatMap(([label, text]) => hang(style.dim(label.padEnd(11)), text, width)),
  ];
}

/** What machine code says of itself, a block for each entry. */
export function renderSass(
  { arch, compiler, sha256, from, by, broken, functions }: InspectedSass,
  style: Style,
  width: number,
) {
  const made = from === 'built' ? 'as built' : 'compiled just now';
  return [
    ...hang('', `machine code for ${arch}, ${made} by ${compiler}, sha256 ${sha256.slice(0, 12)}`, width),
    ...(by === 'ffma' ? hang('', NO_DISASSEMBLER, width) : []),
    ...broken.flatMap((sentence) => hang(style.red('✗ '), sentence, width)),
    ...functions.flatMap((facts) => ['', ...factLines(facts, style, width)]),
  ];
}
