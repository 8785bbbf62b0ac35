/**
 * What no text on one line may hold, as the inside of a class of a regular expression: line breaks and other control characters, and what
 * turns the direction of the text that follows.
 */
export const NOT_IN_LINE = '\\p{Cc}\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
const OTHERS = new RegExp(`[${NOT_IN_LINE}]`, 'gu');

/** For a text of others that is to stand on one line, whatever is in it. */
export function onOneLine(text: string): string {
  return text.replace(BREAKS, ' ').replace(OTHERS, '');
}
