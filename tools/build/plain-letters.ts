/** Where an escape is not what it stands for: in raw texts, and behind a backslash. */
const RAW = /String\.raw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/;

/**
 * Code with its letters outside of ASCII written as escapes, which mean the same in texts, patterns and names; unchanged where that cannot
 * be said of all of them.
 */
export function inPlainLetters(code: string): string {
  if (RAW.test(code)) return code;
  return code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
