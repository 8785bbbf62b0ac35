export const INSTANCE_NAME_MAX_LENGTH = 100;

/** Control characters, breaks of lines, and what turns the direction of writing: a name is shown in one line, beside others. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2066}-\u{2069}]/u;

/**
 * Whether an instance may have this name. It stands encoded in paths, where proxies and clients read a slash, and dots alone, as steps between
 * folders however they are encoded.
 */
export function isInstanceName(name: string): boolean {
  return (
    name.trim() !== '' &&
    name.length <= INSTANCE_NAME_MAX_LENGTH &&
    name.isWellFormed() &&
    !UNPRINTABLE.test(name) &&
    !/[/\\]/.test(name) &&
    !/^\.{1,2}$/.test(name)
  );
}

export const NAME_RULE = `1 to ${INSTANCE_NAME_MAX_LENGTH} characters, without slashes and control characters`;
