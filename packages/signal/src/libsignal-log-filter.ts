/**
 * libsignal writes whole sessions, private keys included, to the console. A line that begins with one of these sentences is
 * dropped, every other line passes. The filter goes by the text and not by the calling file, which a bundle changes.
 */
const LIBSIGNAL_SENTENCES = [
  'Closing session:',
  'Closing open session in favor of incoming prekey bundle',
  'Decrypted message with closed session.',
  'Failed to decrypt message with any known session...',
  'Migrating session to:',
  'Opening session:',
  'Removing old closed session:',
  'Session already closed',
  'Session already open',
  'Session error:',
  'Unhandled bucket type (for naming):',
  'V1 session storage migration error',
  'WARNING: Expected pubkey of length 33',
];

const METHODS = ['debug', 'info', 'warn', 'error', 'log'] as const;

/** Returns a function that removes the filter. Filters may be stacked; each removal restores what it found. */
export function muteLibsignal(target: Pick<Console, (typeof METHODS)[number]> = console): () => void {
  const restore = METHODS.map((method) => {
    const original = target[method];
    const filtered: Console['log'] = (...args) => {
      if (!saidByLibsignal(args[0])) original.apply(target, args);
    };
    target[method] = filtered;
    return () => {
      if (target[method] === filtered) target[method] = original;
    };
  });
  return () => {
    for (const undo of restore) undo();
  };
}

function saidByLibsignal(first: unknown): boolean {
  return typeof first === 'string' && LIBSIGNAL_SENTENCES.some((sentence) => first.startsWith(sentence));
}
