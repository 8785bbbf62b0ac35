/** Words of our own dialect, with what a reader of this field expects in their place (docs/VOICE.md). */
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

/** In prose and in names alike: `onTold` is “on told”. */
export function avoidedWords(text: string): FoundWord[] {
  const plain = text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('_', ' ')
    .replaceAll(/\b(by|what|of) (itself|themselves|its own accord|became of|becomes of)\b/g, (phrase) =>
      phrase.replaceAll(' ', ''),
    );
  return [...plain.matchAll(PATTERN)].map(([word]) => ({ word, write: WORDS.get(word) ?? '' }));
}
