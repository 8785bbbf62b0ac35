/** Avoided words and their replacements (docs/VOICE.md). */
const AVOIDED: readonly { readonly words: readonly string[]; readonly write: string }[] = [
  {
    words: ['nobody', 'somebody', 'anybody', 'whoever', 'whomever'],
    write: 'who it is: the caller, the owner, another process',
  },
  {
    words: ['tell', 'tells', 'telling', 'told', 'untold', 'teller'],
    write: 'publish, emit, notify, report or record',
  },
  {
    words: ['hear', 'hears', 'hearing', 'heard', 'unheard', 'deaf'],
    write: 'receive or listen; unresponsive',
  },
  { words: ['by itself', 'by themselves', 'of its own accord'], write: 'automatically, or nothing' },
  { words: ['what became of', 'what becomes of'], write: 'the outcome' },
  {
    words: ['letter', 'letters', 'bell', 'bury', 'buried', 'buries', 'rider', 'riders'],
    write: 'mail, signal, expire',
  },
];

/** Public names and quotations that contain an avoided word; matched exactly as written here. */
const EXCEPTIONS: readonly { readonly text: string; readonly reason: string }[] = [
  ...["'deaf'", '`deaf`', '"deaf"', 'deaf:', 'stream_error, deaf, undecryptable'].map((text) => ({
    text,
    reason: 'A fault of the sandbox, and a field of the health of a number.',
  })),
  { text: 'tellMessageRead', reason: 'An operation id, which is a method of the SDK.' },
  { text: 'pooler_untold', reason: 'A code of a StoreError.' },
  { text: "'postgres', 'nobody'", reason: 'Users of the operating system.' },
  { text: 'lowercase letters, digits and underscores', reason: 'An error text of the Graph API.' },
  { text: 'letter-spacing', reason: 'A property of CSS.' },
];

const WORDS = new Map(
  AVOIDED.flatMap(({ words, write }) => words.map((word) => [word.replaceAll(' ', ''), write] as const)),
);
const PATTERN = new RegExp(
  `\\b(?:${[...WORDS.keys()].toSorted((a, b) => b.length - a.length).join('|')})\\b`,
  'g',
);

export interface FoundWord {
  readonly word: string;
  readonly write: string;
}

/** Finds words in prose and in names: `onTold` is “on told”. */
export function avoidedWords(text: string): FoundWord[] {
  const plain = withoutExceptions(text)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('_', ' ')
    // “Dead letter” is a word of the field, and a name on the wire.
    .replaceAll(/\bdead[ -]letters?\b/g, '')
    .replaceAll(/\b(by|what|of) (itself|themselves|its own accord|became of|becomes of)\b/g, (phrase) =>
      phrase.replaceAll(' ', ''),
    );
  return [...plain.matchAll(PATTERN)].map(([word]) => ({ word, write: WORDS.get(word) ?? '' }));
}

function withoutExceptions(text: string): string {
  return EXCEPTIONS.reduce((rest, exception) => rest.replaceAll(exception.text, ''), text);
}
