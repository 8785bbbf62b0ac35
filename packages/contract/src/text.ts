/**
 * Characters forbidden in single-line text, as the inside of a character class: line breaks, other control characters, and
 * characters that reverse the direction of text.
 */
export const NOT_IN_LINE = '\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
const OTHERS = new RegExp(`[${NOT_IN_LINE}]`, 'gu');

/** Brings untrusted text onto one line. */
export function onOneLine(text: string): string {
  return text.replace(BREAKS, ' ').replace(OTHERS, '');
}
