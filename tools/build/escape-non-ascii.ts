/** Places where an escape differs from its character: raw templates, and behind a backslash. */
const RAW = /String\.raw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/;

/**
 * Escapes characters outside ASCII, which is equivalent in strings, patterns and names; returns the code unchanged where that
 * does not hold for all of them.
 */
export function escapeNonAscii(code: string): string {
  if (RAW.test(code)) return code;
  return code.replace(
    /[^\0-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
