/** Finds out that the same text goes to many people. Keeps no text, and nothing beyond this process: it is a warning, not a limit. */
export interface Repeats {
  /** Answers true once for a text, in the moment in which it has gone to so many. */
  note(slotId: string, text: string, to: string, now: number): boolean;
}

/** To so many different people within a day. */
export const MANY_PEOPLE = 30;
const DAY_MS = 86_400_000;
/** Of each number, those that were sent last. */
const TEXTS_KEPT = 20;
const NUMBERS_KEPT = 10_000;
/** Greetings and thanks are the same for everybody. */
const SHORTEST_TEXT = 20;

interface Spread {
  readonly since: number;
  readonly people: Set<number>;
  isTold: boolean;
}

export function createRepeats(): Repeats {
  const numbers = new Map<string, Map<number, Spread>>();

  function textsOf(slotId: string): Map<number, Spread> {
    const known = numbers.get(slotId);
    if (known) return known;
    if (numbers.size >= NUMBERS_KEPT) numbers.clear();
    const made = new Map<number, Spread>();
    numbers.set(slotId, made);
    return made;
  }

  return {
    note(slotId, text, to, now) {
      if (text.length < SHORTEST_TEXT) return false;
      const texts = textsOf(slotId);
      const fingerprint = fingerprintOf(text);
      const known = texts.get(fingerprint);
      const spread =
        known && now - known.since < DAY_MS
          ? known
          : { since: now, people: new Set<number>(), isTold: false };
      // The one that was sent last stands last.
      texts.delete(fingerprint);
      texts.set(fingerprint, spread);
      const [oldest] = texts.keys();
      if (texts.size > TEXTS_KEPT && oldest !== undefined) texts.delete(oldest);
      if (spread.isTold) return false;
      spread.people.add(fingerprintOf(to));
      spread.isTold = spread.people.size >= MANY_PEOPLE;
      return spread.isTold;
    },
  };
}

/** Enough to tell a number's texts apart, and too little to tell what they say (cyrb53). */
function fingerprintOf(text: string): number {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 2_654_435_761);
    other = Math.imul(other ^ unit, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & other) + (one >>> 0);
}
