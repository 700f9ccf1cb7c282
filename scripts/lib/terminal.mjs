const plain = !process.stdout.isTTY || process.env.NO_COLOR !== undefined;

/** @param {number} code @returns {(text: string) => string} */
const paint = (code) => (text) => (plain ? text : `\u001b[${code}m${text}\u001b[0m`);

export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const yellow = paint(33);

/** Width that messages are wrapped to. */
export const columns = 80;

/**
 * Breaks text at spaces, every line indented; a word longer than a line stays whole.
 * @param {string} text
 * @param {number} indent columns before every line
 * @param {number} width
 */
export function wrap(text, indent = 0, width = columns) {
  const lines = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + each).join('\n');
}

/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
