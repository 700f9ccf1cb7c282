const LONGEST = 40;

const withArticle = (name: string) => `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;

/** A value as messages show it, whatever it is: `'4'`, `1.5`, `16n`, `null`, `an ArrayBuffer`. */
export function shown(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${value.length > LONGEST ? `${value.slice(0, LONGEST - 1)}…` : value}'`;
    case 'bigint':
      return `${value}n`;
    case 'function':
      return 'a function';
    case 'object': {
      if (value === null) return 'null';
      const name: unknown = value.constructor?.name;
      return withArticle(typeof name === 'string' && name !== 'Object' && name !== '' ? name : 'object');
    }
    default:
      return String(value);
  }
}
