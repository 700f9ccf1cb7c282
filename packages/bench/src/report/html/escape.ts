import { tame } from '../../render/text.js';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Between a figure and its unit, where a line is not broken. */
const UNIT = /(?<=\d) (?=(?:%|µs|ms|TFLOP\/s|GB\/s|[KMGT]?i?B)(?![\p{L}\d]))/gu;

/** Text as it stands in HTML, in an element or a quoted attribute: nothing of it is markup. */
export const escapeHtml = (text: string) =>
  tame(text)
    .replaceAll(/[&<>"']/g, (letter) => entities[letter] as string)
    .replaceAll(UNIT, '\u00a0');
