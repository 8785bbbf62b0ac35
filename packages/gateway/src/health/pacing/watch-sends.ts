import type { HoldReason, SendRequest } from '@parley/contract';
import { type Clock, DAY_MS } from '#kernel';
import type { OwnedNumber } from '#platform/http';
import type { HealthFollower } from '../state/health-follower.ts';
import type { Hold } from './pacing.ts';

/** Outcome of a send request. */
type WatchedResult =
  | { readonly kind: 'admitted' | 'replayed' | 'reused' }
  | { readonly kind: 'refused'; readonly code: string; readonly hold?: Hold };

/** Observes sends as they are accepted or held back. */
interface SendWatch {
  observe(number: OwnedNumber, sessionId: string, send: SendRequest, result: WatchedResult): void;
  /** Sends of this process that were held back, by reason. */
  readonly heldBack: ReadonlyMap<HoldReason, number>;
}

export function createSendWatch({
  follower,
  clock,
}: {
  follower: Pick<HealthFollower, 'note'>;
  clock: Pick<Clock, 'now'>;
}): SendWatch {
  const heldBack = new Map<HoldReason, number>();
  const repeats = createRepeats();
  return {
    heldBack,
    observe(number, sessionId, send, result) {
      if (result.kind === 'refused' && result.hold) {
        const { reason } = result.hold;
        heldBack.set(reason, (heldBack.get(reason) ?? 0) + 1);
      }
      if (result.kind !== 'admitted' || send.kind !== 'text') return;
      if (repeats.note(number.slotId, send.text, send.to, clock.now()))
        follower.note({ number, sessionId, fence: null }, { signals: [{ kind: 'repeated_text' }] });
    },
  };
}

/**
 * Detects the same text to many people. Keeps no text, and no state beyond this process: it causes a warning, not a
 * limit.
 */
interface Repeats {
  /** True once for a text, when it has reached the threshold. */
  note(slotId: string, text: string, to: string, now: number): boolean;
}

/** Different people within a day. */
export const SPAM_RECIPIENTS = 30;
/** Of each number, the most recent ones. */
const TEXTS_KEPT = 20;
const NUMBERS_KEPT = 10_000;
/** Greetings and thanks are the same for all recipients. */
const SHORTEST_TEXT = 20;

interface Spread {
  readonly since: number;
  readonly people: Set<number>;
  isReported: boolean;
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
          : { since: now, people: new Set<number>(), isReported: false };
      // Moves it to the end, as the most recent one.
      texts.delete(fingerprint);
      texts.set(fingerprint, spread);
      const [oldest] = texts.keys();
      if (texts.size > TEXTS_KEPT && oldest !== undefined) texts.delete(oldest);
      if (spread.isReported) return false;
      spread.people.add(fingerprintOf(to));
      spread.isReported = spread.people.size >= SPAM_RECIPIENTS;
      return spread.isReported;
    },
  };
}

/** Enough to distinguish a number's texts, too little to reveal them (cyrb53). */
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
